import Accelerometers
import BinnacleBasics
import Motion

/// The table of false ends of rests with real receivers whose speeds come without an accuracy.
///
/// NMEA has no accuracy, and a client of gpsd may get none. The detector gets the speeds of a recording of rest and the
/// samples of a desk for an hour; each end of a rest is false.
public struct BareSpeedScore: Sendable {
  private static let length = Interval.seconds(3_600)
  private static let dwell = Interval.seconds(60)

  private let tremor: RestTremor
  private var rows = [
    ["recording", "speed m/s 50/95/max", "profile", "paused %", "false resumes"]
  ]

  /// - Parameter tremor: the samples of the accelerometer.
  public init(_ tremor: RestTremor) {
    self.tremor = tremor
  }

  /// Adds a recording of a receiver at rest; a recording with hardly any solutions is left out.
  public mutating func add(_ name: String, _ log: [UInt8]) {
    rows += BareSpeedScore.rows(name, log, tremor)
  }

  /// The rows of a recording; empty when the recording has hardly any solutions.
  static func rows(_ name: String, _ log: [UInt8], _ tremor: RestTremor) -> [[String]] {
    guard let jitter = RestJitter(log: log) else { return [] }
    let profiles: [(String, MotionProfile)] = [("default", .standard), ("quiet", .quiet)]
    return profiles.map { title, profile in
      let outcome = outcome(jitter, tremor, profile)
      let speeds = outcome.speeds.sorted()
      let quantiles = [0.5, 0.95, 1].map { share in
        MotionText.decimal(speeds[Int(share * Double(speeds.count - 1))], places: 2)
      }
      let paused = 100 * outcome.paused.seconds / length.seconds
      return [
        name, quantiles.joined(separator: " / "), title, MotionText.decimal(paused, places: 0),
        "\(outcome.endCount)",
      ]
    }
  }

  private struct Outcome {
    var speeds: [Double] = []
    var paused = Interval.zero
    var endCount = 0
  }

  private static func outcome(
    _ jitter: RestJitter, _ tremor: RestTremor, _ profile: MotionProfile
  ) -> Outcome {
    var jitter = jitter
    var tremor = tremor
    var detector = StationaryDetector(profile: profile, dwell: dwell, at: .zero)
    var outcome = Outcome()
    var now = Instant.zero
    while now < Instant.zero + length {
      now = now + jitter.period
      let before = detector.verdict
      if let batch = tremor.batch(until: now) {
        for index in 0..<batch.count {
          let sample = batch[index]
          _ = detector.accelerationMeasured(
            x: sample.x, y: sample.y, z: sample.z, at: batch.instant(of: index))
        }
      }
      if let frame = RecordedFrame.frames(in: jitter.next()).first,
        let solution = RecordedPVT(frame)
      {
        let speed = Double(solution.groundSpeed) / 1_000
        outcome.speeds.append(speed)
        _ = detector.solutionMeasured(SolutionReading(speed: speed), at: now)
      }
      if detector.verdict.isStationary { outcome.paused = outcome.paused + jitter.period }
      if before.isStationary, !detector.verdict.isStationary { outcome.endCount += 1 }
    }
    return outcome
  }

  public var text: String {
    let title = "An hour of real rest, speeds without an accuracy (dwell 60 s)"
    return ([title, ""] + MotionText.table(rows)).joined(separator: "\n") + "\n"
  }
}
