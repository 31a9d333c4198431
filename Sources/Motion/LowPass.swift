import BinnacleBasics

/// The mean of the last quarter of a second: it removes the vibration of an idling engine (22 to 33 Hz) from a shake.
///
/// A boxcar of time, not of samples, so that 10 Hz and 100 Hz and bursts are treated alike.
struct LowPass: Equatable, Codable, Sendable {
  static let span = Interval.milliseconds(250)
  /// Samples that are kept, which is 512 a second: a chip that is faster gets a shorter boxcar.
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

  /// Takes a sample and gives the mean up to it.
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
