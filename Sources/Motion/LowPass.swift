import BinnacleBasics

/// The mean of the last quarter of a second, which separates an idling engine (22 to 33 Hz) from a shake.
///
/// The window is a time, not a number of samples, so that rates of 10 Hz and 100 Hz, and bursts, give the same result.
struct LowPass: Equatable, Codable, Sendable {
  static let span = Interval.milliseconds(250)
  /// The number of stored samples, sufficient for 512 Hz; a faster chip has a shorter window.
  private static let capacity = 128

  private struct Entry: Equatable, Codable, Sendable {
    var instant: Instant
    var acceleration: FineAcceleration
  }

  private var entries = [Entry](
    repeating: Entry(instant: .zero, acceleration: .zero), count: LowPass.capacity)
  private var oldest = 0
  private var count = 0
  private var sum = FineAcceleration.zero

  /// Takes a sample and returns the mean up to this sample.
  mutating func sampleArrived(_ sample: FineAcceleration, at now: Instant) -> FineAcceleration {
    while count > 0, count == LowPass.capacity || now - entries[oldest].instant >= LowPass.span {
      sum = sum - entries[oldest].acceleration
      oldest = (oldest + 1) % LowPass.capacity
      count -= 1
    }
    entries[(oldest + count) % LowPass.capacity] = Entry(instant: now, acceleration: sample)
    count += 1
    sum = sum + sample
    return sum / Int64(count)
  }
}
