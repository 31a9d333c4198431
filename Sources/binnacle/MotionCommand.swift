import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The verbs `receiver` and `motion`.
extension Commands {
  /// The time between two lines of `motion`.
  private static let motionPeriod = Interval.seconds(1)

  func receiver(isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle receiver")
    _ = connection.machine.request(.status, at: Clock.now)
    return try ask(connection) { action in
      guard case .status(let all) = action else { return nil }
      let report = ReceiverText.part(of: all)
      return Output.print(isJSON ? ReportText.json(report) : ReceiverText(report).lines)
        ? .success : .failure
    }
  }

  /// Prints acceleration and verdict each second, up to a number of lines or until it is interrupted.
  ///
  /// The command waits for a daemon that goes or stops; a daemon that stays and does not answer ends the command.
  func motion(countMax: Int?, isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle motion")
    connection.start()
    var (count, askAt) = (0, Clock.now)
    var (isAsked, answerEnd) = (false, Clock.now)
    // As in `follow`, one line reports an absence.
    var isAbsenceKnown = false
    while true {
      if connection.machine.isReady, !isAsked, askAt <= Clock.now {
        connection.ask(.status)
        isAsked = true
        askAt = Clock.now + Commands.motionPeriod
        answerEnd = Clock.now + Commands.answerTimeMax
      }
      let end = isAsked ? answerEnd : askAt
      switch try connection.turn(
        until: connection.machine.isReady ? end : connection.firstAnswerEnd)
      {
      case .interrupted: return .success
      case .deadline:
        guard isAsked || connection.firstAnswerEnd != nil else { continue }
        return silent(connection)
      case .actions(let actions):
        if connection.isUnreachable { return absent(connection) }
        let isReady = connection.machine.isReady
        if isReady { isAbsenceKnown = false }
        if actions.isEmpty, isAsked {
          // The connection was made or lost, and the machine repeats the request over the next connection.
          askAt = Clock.now + Commands.motionPeriod
          answerEnd = Clock.now + Commands.answerTimeMax
        }
        for action in actions {
          if case .refused(let refusal) = action {
            guard refusal.kind == .stopping else { return refused(refusal) }
            complain("\(refusal.text); waiting for it")
            isAbsenceKnown = true
          }
          guard case .status(let all) = action else { continue }
          isAsked = false
          let report = MotionText.part(of: all)
          guard Output.print(isJSON ? ReportText.json(report) : MotionText(report).line) else {
            return .failure
          }
          count += 1
          if count == countMax { return .success }
        }
        if !isReady, !isAbsenceKnown, connection.firstAnswerEnd == nil {
          complain("the daemon has gone; waiting for it")
          isAbsenceKnown = true
        }
      }
    }
  }
}
