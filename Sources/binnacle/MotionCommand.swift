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
  func motion(countMax: Int?, isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle motion")
    connection.start()
    var (count, askAt, isAsked) = (0, Clock.now, false)
    while true {
      let isDue = connection.machine.isReady && !isAsked && askAt <= Clock.now
      if isDue {
        connection.ask(.status)
        isAsked = true
        askAt = Clock.now + Commands.motionPeriod
      }
      switch try connection.turn(until: isAsked || !connection.machine.isReady ? nil : askAt) {
      case .interrupted: return .success
      case .deadline: continue
      case .actions(let actions):
        if connection.isUnreachable { return absent(connection) }
        if !connection.machine.isReady {
          isAsked = false
          if connection.absentSince != nil, actions.isEmpty {
            complain("the daemon has gone; waiting for it")
          }
        }
        for action in actions {
          if case .refused(let refusal) = action { return refused(refusal) }
          guard case .status(let all) = action else { continue }
          isAsked = false
          let report = MotionText.part(of: all)
          guard Output.print(isJSON ? ReportText.json(report) : MotionText(report).line) else {
            return .failure
          }
          count += 1
          if count == countMax { return .success }
        }
      }
    }
  }
}
