import BinnacleBasics
import Simulation

/// What the samples of a recording come to, from which wrong units can be told.
struct SampleSpan {
  /// A body feels 1 g in the mean, whatever it does; 9.8 are meters per second squared.
  private static let meanMaxG = 4.0
  /// The detector is made for 10 Hz and more.
  private static let hertzMin = 9.0
  /// A recording of less says nothing of its rate.
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

  /// What may be wrong with them, in sentences.
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
