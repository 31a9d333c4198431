import BinnacleModel
public import Board

/// Inspects a machine and reports its faults, in the order in which an experienced operator would proceed.
///
/// Inspection does not open, poll or change a device. If a device must be polled, `question` has the request, and the
/// owner of this value polls the device.
public struct Examination {
  let machine: Machine
  let inquiry: Inquiry
  /// The daemon that has answered, or the only daemon that runs.
  let daemon: ProcessTable.Process?
  let servant: EffectiveUser
  /// The board's profile; nil when unknown.
  public internal(set) var profile: Profile?
  /// The findings, in the order in which an operator would proceed.
  public internal(set) var findings: [Finding] = []
  /// A request for facts that only the receiver knows.
  public internal(set) var question: Question?
  /// A request for facts that only the accelerometer knows.
  public internal(set) var accelerometerQuestion: AccelerometerQuestion?

  /// A request to a device that no other program uses at present.
  public enum Question: Equatable, Sendable {
    /// Identify the receiver at this serial device; this speed is tried first.
    case receiver(path: String, speed: Int?)
  }

  public init(of view: any MachineView, _ inquiry: Inquiry) {
    machine = Machine(view)
    self.inquiry = inquiry
    daemon = Examination.daemon(machine, inquiry)
    servant = EffectiveUser(machine, daemon: daemon)
    examineProfile()
    examineApps()
    examineReceiver()
    examineBus()
    examineAccelerometer()
    examineLines()
    examineState()
    examineClock()
    examineDaemon()
  }

  var view: any MachineView { machine.view }

  /// Whether the lines or the bus of the profile belong to a simulator.
  var isVirtual: Bool {
    if case .simulated = profile?.board.lines { return true }
    if case .simulated = profile?.board.bus { return true }
    return false
  }

  /// The socket of a virtual board; a path without a leading slash is relative to the runtime directory.
  func socket(_ path: String) -> String {
    path.hasPrefix("/") ? path : inquiry.runtimeDirectory + "/" + path
  }

  /// Reports a missing virtual board; returns whether a board listens at the path.
  mutating func examineVirtualBoard(_ path: String, _ name: Finding.Name) -> Bool {
    let path = socket(path)
    if view.node(at: path)?.kind == .socket { return true }
    if findings.contains(where: { $0.subject == "sim:" + path }) { return false }
    findings.append(
      .fault(
        name, "sim:" + path, "no virtual board listens there",
        mend: "binnacle-sim board --listen \(path)"))
    return false
  }

  /// Whether there is a fault.
  public var hasFaults: Bool { findings.contains { $0.severity == .fault } }

  /// An option of the daemon: from the command line, else from the running daemon, else from the service's unit.
  func option(_ name: String, asked: String?) -> String? {
    if let asked { return asked }
    if let daemon { return daemon.value(of: name) }
    return machine.unit?.value(of: name)
  }

  private static func daemon(_ machine: Machine, _ inquiry: Inquiry) -> ProcessTable.Process? {
    let all = machine.processes.named("binnacled")
    switch inquiry.daemon {
    case .report(let report):
      guard let id = report[.daemonProcessID] else { return all.first }
      return all.first { $0.id == id }
    case .refusal, .crowded: return all.first
    // A daemon for another runtime directory is not the requested one.
    case .absence: return nil
    }
  }
}
