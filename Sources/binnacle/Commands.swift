import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire
import Glibc
import StateLog

/// The commands that send requests to the daemon.
struct Commands {
  let runtimeDirectory: String?

  /// The time-out of the daemon's answer, and of each further part of the answer.
  static let answerTimeMax = Interval.seconds(10)

  /// The format of the report in `binnacle status`.
  enum StatusForm {
    case screen
    case all
    case json
  }

  func status(_ form: StatusForm) throws(Errno) -> ExitStatus {
    let program = "binnacle status"
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: program)
    _ = connection.machine.request(.status, at: Clock.now)
    return try ask(connection) { action in
      guard case .status(let report) = action else { return nil }
      let text =
        switch form {
        case .screen: StatusScreen(report, ownProgram: program).lines.joined(separator: "\n")
        case .all: ReportText.lines(PowerText.shortened(report))
        case .json: ReportText.json(PowerText.shortened(report))
        }
      return Output.print(text) ? .success : .failure
    }
  }

  func power(isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle power")
    _ = connection.machine.request(.status, at: Clock.now)
    return try ask(connection) { action in
      guard case .status(let all) = action else { return nil }
      let report = PowerText.part(of: all)
      return Output.print(isJSON ? ReportText.json(report) : PowerText(report).lines)
        ? .success : .failure
    }
  }

  func services(isOn: Bool?) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle services")
    guard let isOn else {
      _ = connection.machine.request(.status, at: Clock.now)
      return try ask(connection) { action in
        guard case .status(let report) = action else { return nil }
        let isOn = report[.servicesOn] == true
        return Output.print("location services: \(isOn ? "on" : "off")") ? .success : .failure
      }
    }
    _ = connection.machine.request(.setServices(isOn: isOn), at: Clock.now)
    return try ask(connection) { action in
      guard case .answered(let refusal) = action else { return nil }
      guard let refusal else {
        return Output.confirm("location services: \(isOn ? "on" : "off")") ? .success : .failure
      }
      complain("location services: \(refusal.text)")
      return .failure
    }
  }

  func trace(output: String?) throws(Errno) -> ExitStatus {
    let path = output ?? DocumentOutput.standardOutput
    if DocumentOutput.isStandardOutput(path), isatty(STDOUT_FILENO) == 1 {
      complain("a trace is not for a terminal; -o FILE saves it")
      return .usage
    }
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle trace")
    _ = connection.machine.request(.trace, at: Clock.now)
    var bytes: [UInt8] = []
    return try ask(connection) { action in
      guard case .trace(let piece, let isLast) = action else { return nil }
      bytes += piece
      return isLast ? Commands.save(bytes, to: path) : nil
    }
  }

  func watch(_ order: WatchOrder) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle watch", role: order.role)
    // A reader that has left, such as head, ends the program in order.
    if !order.sessions.isEmpty { Signals.ignoreBrokenPipes() }
    let sessions = order.sessions.map { connection.machine.openSession($0, at: Clock.now).0 }
    let (sequence, _) = connection.machine.openUpdates(order.configuration, at: Clock.now)
    // Without these messages the sessions would end only `RejoinWindow` later: the daemon cannot distinguish a crash from a lost
    // connection.
    defer { connection.close(sequence, sessions) }
    return try printUpdates(of: sequence, order, from: connection)
  }

  private func printUpdates(
    of sequence: SequenceID, _ order: WatchOrder, from connection: Connection
  ) throws(Errno) -> ExitStatus {
    var absence = AbsenceMachine()
    absence.sequenceOpened(sequence, at: Clock.now)
    var printer = UpdatePrinter(order)
    connection.start()
    while true {
      let limit = order.timeoutSeconds.flatMap { seconds in
        connection.absentSince.map { $0 + Interval(nanoseconds: Int64(seconds * 1e9)) }
      }
      let turn = try connection.turn(
        until: [limit, absence.nextDeadline].compactMap { $0 }.min())
      let now = Clock.now
      absence.daemonSeen(isPresent: connection.machine.isReady, at: now)
      switch turn {
      case .interrupted: return .success
      case .deadline:
        if let limit, limit <= now, connection.absentSince != nil {
          complain(reason(of: connection))
          return .serviceUnavailable
        }
      case .actions(let actions):
        for action in actions {
          if let status = printer.take(action) { return status }
        }
      }
      // The daemon explains its own silence. As in the client library, the absence of the daemon is explained here.
      if !absence.deadlineReached(at: now).isEmpty {
        complain("\(reason(of: connection)); waiting for it")
        let absent = Update(fix: nil, flags: .locationUnavailable)
        if let status = printer.take(.updates([sequence], absent)) { return status }
      }
    }
  }

  func writes(isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle writes")
    _ = connection.machine.request(.state(.writes), at: Clock.now)
    return try ask(connection) { action in
      if case .answered(let refusal?) = action { return failedState(refusal) }
      guard case .writes(let report) = action else { return nil }
      return Output.print(isJSON ? ReportText.json(report) : WritesText(report).table)
        ? .success : .failure
    }
  }

  /// Requests a change of the stored records, and waits for the answer.
  func changeState(_ request: StateRequest, program: String) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: program)
    _ = connection.machine.request(.state(request), at: Clock.now)
    return try ask(connection) { action in
      guard case .answered(let refusal) = action else { return nil }
      return refusal.map { failedState($0) } ?? .success
    }
  }

  /// The daemon's records; nil if there is no daemon.
  func keptRecords(program: String) throws(Errno) -> Result<RecordSet, KeptRecords.Failure>? {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: program)
    _ = connection.machine.request(.state(.read), at: Clock.now)
    var bytes: [UInt8] = []
    var records: RecordSet?
    let status = try ask(connection, complainsOfAbsence: false) { action in
      if case .answered(let refusal?) = action { return failedState(refusal) }
      guard case .state(let piece, let isLast) = action else { return nil }
      bytes += piece
      guard isLast else { return nil }
      records = RecordSet(decoding: bytes)
      if records == nil { complain("the daemon's answer about its stored records is damaged") }
      return records == nil ? .dataDamaged : .success
    }
    if let records { return .success(records) }
    guard let failure = connection.failure else { return .failure(.init(status: status)) }
    // A daemon that runs may write to its log at any time.
    return failure.isQueueFull ? .failure(.init(status: absent(connection))) : nil
  }

  private func failedState(_ refusal: ServerMessage.Refusal) -> ExitStatus {
    complain("state: \(refusal.text)")
    return refusal.kind == .appUnknown ? .dataDamaged : .failure
  }

  /// Sends a request once: without a daemon at this moment there is no answer.
  ///
  /// - Parameters:
  ///   - connection: the connection, which has the request.
  ///   - complainsOfAbsence: whether standard error gets a line if there is no daemon.
  ///   - isRefusalTaken: whether `take` decides about a refusal, which else ends the command.
  ///   - take: takes each action; returns the exit status at the end, nil before.
  /// - Returns: the exit status; `interrupted` if a signal comes before the answer.
  /// - Throws: a failure of the connection.
  func ask(
    _ connection: Connection, complainsOfAbsence: Bool = true, isRefusalTaken: Bool = false,
    _ take: (ClientMachine.Action) -> ExitStatus?
  ) throws(Errno) -> ExitStatus {
    var deadline = Clock.now + Commands.answerTimeMax
    connection.start()
    while connection.failure == nil {
      switch try connection.turn(until: deadline) {
      case .interrupted:
        return .interrupted
      case .deadline:
        return silent(connection)
      case .actions(let actions):
        for action in actions {
          if let status = take(action) { return status }
          if !isRefusalTaken, case .refused(let refusal) = action { return refused(refusal) }
        }
        // A slow reader of the output takes from the time of the command, and not of the daemon. A lost connection is no
        // answer.
        if !actions.isEmpty { deadline = Clock.now + Commands.answerTimeMax }
      }
    }
    return complainsOfAbsence ? absent(connection) : .serviceUnavailable
  }

  /// Follows a request until it ends or is interrupted; a daemon that goes or stops is waited for.
  ///
  /// A daemon that does not answer the first greeting ends the command.
  ///
  /// - Parameters:
  ///   - connection: the connection, which has the request.
  ///   - take: takes each action; returns the exit status at the end, nil before.
  /// - Returns: the exit status.
  /// - Throws: a failure of the connection.
  func follow(
    _ connection: Connection, _ take: (ClientMachine.Action) -> ExitStatus?
  ) throws(Errno) -> ExitStatus {
    connection.start()
    // While the daemon does not answer, each attempt to connect ends. One line reports the absence.
    var isAbsenceKnown = false
    while true {
      let actions: [ClientMachine.Action]
      switch try connection.turn(until: connection.firstAnswerEnd) {
      case .interrupted: return .success
      case .deadline: return silent(connection)
      case .actions(let some): actions = some
      }
      if connection.isUnreachable { return absent(connection) }
      let isReady = connection.machine.isReady
      if isReady { isAbsenceKnown = false }
      for action in actions {
        if case .refused(let refusal) = action {
          guard refusal.kind == .stopping else { return refused(refusal) }
          complain("\(refusal.text); waiting for it")
          isAbsenceKnown = true
        } else if let status = take(action) {
          return status
        }
      }
      if !isReady, !isAbsenceKnown, connection.firstAnswerEnd == nil {
        complain("the daemon has gone; waiting for it")
        isAbsenceKnown = true
      }
    }
  }

  /// Reports that there is a daemon and that it does not answer.
  func silent(_ connection: Connection) -> ExitStatus {
    complain("\(connection.socketPath): the daemon does not answer")
    return .serviceUnavailable
  }

  /// Reports that no daemon answers, or that this user may not use its socket.
  func absent(_ connection: Connection) -> ExitStatus {
    complain(reason(of: connection))
    return connection.failure?.isAccessDenied == true ? .notPermitted : .serviceUnavailable
  }

  /// Reports that the daemon refuses a request or the connection.
  func refused(_ refusal: ServerMessage.Refusal) -> ExitStatus {
    complain("the daemon refused: \(refusal.text)")
    return refusal.kind == .notPermitted ? .notPermitted : .serviceUnavailable
  }

  func reason(of connection: Connection) -> String {
    if connection.waitsForRoom {
      return "\(connection.socketPath): the daemon's queue of connections is full"
    }
    guard let failure = connection.failure else {
      return "no daemon answers at \(connection.socketPath)"
    }
    if failure.isQueueFull { return "\(failure.absence); try again" }
    if failure.isAccessDenied { return failure.absence }
    return "\(failure.absence); 'binnacle doctor' names the command that starts it"
  }
}

/// Reports an error on standard error.
func complain(_ text: String) {
  let line = OverlongOperands.shortened(
    PlainText.line(text), words: CommandLine.arguments.dropFirst())
  Output.speak("binnacle: \(line)\n")
}
