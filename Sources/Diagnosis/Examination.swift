import BinnacleModel
public import Board

/// Inspects a machine as a person would who is stuck, and reports its faults.
///
/// Inspection opens, asks and changes nothing. If a device must be asked, `question` says so, and the owner of this value
/// asks.
public struct Examination {
  let machine: Machine
  let inquiry: Inquiry
  /// The daemon that answers, or the only one that runs.
  let daemon: ProcessTable.Process?
  let servant: EffectiveUser
  /// The board's profile; nil when unknown.
  public internal(set) var profile: Profile?
  /// The findings, in the order in which a person would proceed.
  public internal(set) var findings: [Finding] = []
  /// Facts that only the receiver knows.
  public internal(set) var question: Question?
  /// Facts that only the accelerometer knows.
  public internal(set) var accelerometerQuestion: AccelerometerQuestion?

  /// A question to a device that no other program uses at the moment.
  public enum Question: Equatable, Sendable {
    /// The identity of the receiver at this serial device, tried first at this speed.
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

  /// Whether lines or bus of the profile are a simulator's.
  var isVirtual: Bool {
    if case .simulated = profile?.board.lines { return true }
    if case .simulated = profile?.board.bus { return true }
    return false
  }

  /// Where the socket of a virtual board is: a path without a slash in front is in the runtime directory.
  func socket(_ path: String) -> String {
    path.hasPrefix("/") ? path : inquiry.runtimeDirectory + "/" + path
  }

  /// Answers whether a virtual board listens there; complains when not.
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

  /// Whether something does not work.
  public var hasFaults: Bool { findings.contains { $0.severity == .fault } }

  /// An option of the daemon: from the person, else from the running daemon, else from the service's unit.
  func option(_ name: String, asked: String?) -> String? {
    if let asked { return asked }
    if let daemon { return daemon.value(of: name) }
    return machine.unit?.value(of: name)
  }

  private static func daemon(_ machine: Machine, _ inquiry: Inquiry) -> ProcessTable.Process? {
    let all = machine.processes.named("binnacled")
    switch inquiry.daemon {
    case .report(let report):
      guard case .integer(let id) = report["daemon.process_id"] else { return all.first }
      return all.first { $0.id == id }
    case .refusal: return all.first
    // One that runs elsewhere is not the one that was asked for.
    case .absence: return nil
    }
  }
}
