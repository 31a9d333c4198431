import BinnacleBasics
import Simulation

/// The summary of a recording's samples, which reveals wrong units.
struct SampleSpan {
  /// The mean acceleration of every body is near 1 g; a mean of 9.8 means meters per second squared.
  private static let meanMaxG = 4.0
  /// The detector is designed for 10 Hz and more.
  private static let hertzMin = 9.0
  /// A shorter recording does not show its rate.
  private static let secondsMin = 2.0

  private var sumG = 0.0
  private var count = 0
  private var first: Instant?
  private var last = Instant.zero

  mutating func take(_ row: MotionRow) {
    guard let sample = row.acceleration else { return }
    let square = sample.x * sample.x + sample.y * sample.y + sample.z * sample.z
    guard square.isFinite else { return }
    sumG += square.squareRoot()
    count += 1
    first = first ?? row.instant
    last = row.instant
  }

  /// The possible errors of the samples, in sentences.
  var doubts: [String] {
    guard count > 1, let first else { return [] }
    var doubts: [String] = []
    let meanG = sumG / Double(count)
    if meanG > SampleSpan.meanMaxG {
      doubts.append(
        "samples of \(MotionText.decimal(meanG, places: 1)) in the mean: "
          + "wanted are g, of which a body at rest feels 1")
    }
    let seconds = (last - first).seconds
    let hertz = Double(count - 1) / seconds
    if seconds >= SampleSpan.secondsMin, hertz < SampleSpan.hertzMin {
      doubts.append(
        "\(MotionText.decimal(hertz, places: 2)) samples a second: "
          + "wanted are 10 or more, and times in seconds")
    }
    return doubts
  }
}
