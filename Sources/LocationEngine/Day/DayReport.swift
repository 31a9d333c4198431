import BinnacleBasics
public import BinnacleModel

/// The history of the last day at one instant, which shares its memory with the engine.
///
/// The flight recorder keeps the report; its rows, which need much more memory, are made for the client.
public struct DayReport: Equatable, Codable, Sendable {
  let history: DayHistory
  /// When the daemon started.
  let start: Instant
  let now: Instant
  /// The time; nil if it is unknown.
  let time: UTCTime?

  /// The rows of `binnacle day --json`: the daemon's start, and each transition.
  public var rows: [Report] {
    var first = row(part: "daemon", state: "started", at: start)
    if history.appsLeftOut > 0 { first.add(.rowLeftOut, Int64(history.appsLeftOut)) }
    return [first]
      + history.lanes.flatMap { lane in
        lane.transitions.map { transition in
          row(
            part: transition.state.part.rawValue, lane.subject, state: transition.state.rawValue,
            at: transition.at)
        }
      }
  }

  private func row(
    part: String, _ subject: DayHistory.Subject? = nil, state: String, at instant: Instant
  ) -> Report {
    var row = Report()
    row.add(.rowPart, part)
    if case .app(let app)? = subject { row.add(.rowID, "\(app)") }
    let age = now - instant
    if let time { row.add(.rowBegan, (time + (.zero - age)).rfc3339(fractionDigits: 0)) }
    row.add(.rowAge, age.seconds)
    row.add(.rowDayState, state)
    return row
  }

  /// The approximate size of the report in memory, which it shares with the engine at first.
  var memorySize: Int { history.count * MemoryLayout<DayHistory.Transition>.stride }
}
