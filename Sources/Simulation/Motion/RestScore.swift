import BinnacleBasics

/// The table of the updates that an app gets while real receivers jitter at rest.
///
/// The control is the same run without pauses, in which the jitter gives the app a path.
public struct RestScore: Sendable {
  private static let pausedHours: Int64 = 3
  private static let controlHours: Int64 = 1

  private let tremor: RestTremor
  private var rows = [
    [
      "recording", "solutions", "Hz", "witnesses", "stationary updates", "updates",
      "path since rest m/h", "path without pauses m/h",
    ]
  ]

  /// - Parameter tremor: the samples of the accelerometer in all rows.
  public init(_ tremor: RestTremor) {
    self.tremor = tremor
  }

  /// Adds a recording of a receiver at rest; a recording with hardly any solutions is left out.
  public mutating func add(_ name: String, _ log: [UInt8]) -> Bool {
    let found = RestScore.rows(name, log, tremor)
    rows += found
    return !found.isEmpty
  }

  /// The rows of a recording; empty when the recording has hardly any solutions.
  static func rows(_ name: String, _ log: [UInt8], _ tremor: RestTremor) -> [[String]] {
    guard let jitter = RestJitter(log: log) else { return [] }
    var control = RestTrial(jitter, nil, pauses: false)
    let free = control.run(.seconds(RestScore.controlHours * 3_600))
    let hertz = 1 / jitter.period.seconds
    let detectors: [(String, RestTremor?)] = [("both", tremor), ("receiver", nil)]
    return detectors.map { witnesses, tremor in
      var trial = RestTrial(jitter, tremor)
      let outcome = trial.run(.seconds(RestScore.pausedHours * 3_600))
      return [
        name, "\(jitter.solutionCount)", MotionText.decimal(hertz, places: 0), witnesses,
        "\(outcome.stationaryCount)", "\(outcome.updateCount)",
        MotionText.decimal(
          outcome.metersSinceRest / Double(RestScore.pausedHours), places: 1),
        MotionText.decimal(free.meters / Double(RestScore.controlHours), places: 0),
      ]
    }
  }

  public var text: String {
    let title = "Three hours of real rest (live updates by default, dwell 120 s)"
    return ([title, ""] + MotionText.table(rows)).joined(separator: "\n") + "\n"
  }
}
