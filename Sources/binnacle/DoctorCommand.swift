import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import Diagnosis
import Glibc

/// `binnacle doctor`: prints the faults of this machine, and the commands that repair them.
struct DoctorCommand {
  let order: Order
  let runtimeDirectory: String?

  /// The options of `binnacle doctor`.
  struct Order: Equatable {
    var isJSON: Bool
    /// Whether the operator at the terminal takes part in a test of lights and buttons.
    var isInteractive: Bool
    var board: String?
    var receiver: String?
    var configurationDirectory: String?

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
      isJSON = arguments.has("json")
      isInteractive = arguments.has("interactive")
      board = try Order.path("board", in: arguments)
      receiver = try Order.path("receiver", in: arguments)
      configurationDirectory = try Order.path("config", in: arguments)
    }

    private static func path(
      _ name: String, in arguments: Arguments
    ) throws(Arguments.UsageError) -> String? {
      guard let path = arguments.value(name) else { return nil }
      guard !path.isEmpty else { throw .init("option '--\(name)' needs a value") }
      return path
    }
  }

  static let nothingFound = "nothing wrong was found"

  /// The time-out of the daemon's report; a daemon that hangs is a finding, too.
  private static let answerTimeMax = Interval.seconds(10)

  func run() throws -> ExitStatus {
    if order.isInteractive, isatty(STDIN_FILENO) != 1 {
      throw Arguments.UsageError(
        "option '--interactive' asks the person at the terminal, and standard input is no terminal")
    }
    guard let daemon = try askDaemon() else { return .success }
    var examination = Examination(of: LiveMachine(), inquiry(daemon))
    if case .receiver(let path, let speed) = examination.question {
      guard let answer = try askReceiver(path, speed: speed) else { return .success }
      examination.receiverAnswered(answer)
    }
    if let question = examination.accelerometerQuestion {
      guard let answer = try askAccelerometer(question) else { return .success }
      examination.accelerometerAnswered(answer)
    }
    guard show(examination.findings[...]) else { return .failure }
    if order.isInteractive {
      let count = examination.findings.count
      let isDone = try PanelCheck.hold(with: &examination)
      guard show(examination.findings[count...]) else { return .failure }
      if !isDone { return examination.hasFaults ? .failure : .success }
    }
    if !order.isJSON, examination.findings.isEmpty {
      guard Output.print(DoctorCommand.nothingFound) else { return .failure }
    }
    return examination.hasFaults ? .failure : .success
  }

  private func inquiry(_ daemon: Inquiry.DaemonAnswer) -> Inquiry {
    var inquiry = DoctorCommand.inquiry(daemon, runtimeDirectory: runtimeDirectory)
    inquiry.board = order.board
    inquiry.receiver = order.receiver
    inquiry.configurationDirectory = order.configurationDirectory
    return inquiry
  }

  /// The inquiry of this user without options of the doctor.
  static func inquiry(
    _ daemon: Inquiry.DaemonAnswer, runtimeDirectory: String?
  ) -> Inquiry {
    var inquiry = Inquiry(
      runtimeDirectory: RuntimeDirectory.ofClient(option: runtimeDirectory),
      stateDirectory: RuntimeDirectory.stateOfDaemon(option: nil, userID: Environment.userID),
      daemon: daemon)
    inquiry.executable = Environment.executablePath
    return inquiry
  }

  private func show(_ findings: ArraySlice<Finding>) -> Bool {
    findings.allSatisfy { finding in
      Output.print(order.isJSON ? FindingText.json(finding) : FindingText.lines(finding))
    }
  }

  /// The accelerometer's answer; nil if the operator has interrupted the command.
  private func askAccelerometer(
    _ question: Examination.AccelerometerQuestion
  ) throws(Errno) -> Examination.AccelerometerAnswer? {
    switch try AccelerometerCheck.hold(path: question.bus, question.accelerometer) {
    case .interrupted: return nil
    case .found(let model, let address): return .identified(model: model, address: address)
    case .nothing(let fault):
      switch fault.kind {
      case .notFound, .vanished: return .absent(fault.description)
      case .unknownChip: return .stranger(fault.description)
      case .heldByKernel: return .heldByKernel(fault.description)
      case .busFailed: return .stuck(fault.description)
      case .busMissing, .notPermitted, .setupRefused, .selfTestFailed, .silent, .frozen,
        .lineSilent:
        return .failed(fault.description)
      }
    }
  }

  /// The receiver's answer; nil if the operator has interrupted the command.
  private func askReceiver(
    _ path: String, speed: Int?
  ) throws(Errno) -> Examination.ReceiverAnswer? {
    switch try ReceiverCheck.hold(path: path, speed: speed) {
    case .interrupted: nil
    case .failed(let error): .failed(error.description)
    case .outcome(.answered(let text, let speed)): .identified(text, speed: speed)
    case .outcome(.heard(let speed)): .heard(speed: speed)
    case .outcome(.garbled(let bytes)): .garbled(bytes: bytes)
    case .outcome(.silent): .silent
    }
  }

  /// The daemon's answer; nil if the operator has interrupted the command.
  private func askDaemon() throws(Errno) -> Inquiry.DaemonAnswer? {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle doctor")
    _ = connection.machine.request(.status, at: Clock.now)
    let deadline = Clock.now + DoctorCommand.answerTimeMax
    connection.start()
    while connection.failure == nil {
      switch try connection.turn(until: deadline) {
      case .interrupted: return nil
      case .deadline:
        return .absence("\(connection.socketPath): it does not answer")
      case .actions(let actions):
        for action in actions {
          switch action {
          case .status(let report): return .report(report)
          case .refused(let refusal): return .refusal(refusal.text)
          case .updates, .updatesEnded, .trace, .state, .writes, .sky, .rows, .ownApps, .answered,
            .connect, .send, .hangUp, .ready, .sessionDiagnostic, .authorization, .button, .phase,
            .defaults, .defaultsChanged, .defaultsSettled, .unlocked, .locked:
            break
          }
        }
      }
    }
    guard let failure = connection.failure else { return .absence(connection.socketPath) }
    return failure.isQueueFull ? .crowded(failure.description) : .absence(failure.description)
  }
}
