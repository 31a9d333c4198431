import BinnacleBasics

/// When a receiver has received the ephemerides that it knows, which decides how it starts.
///
/// All satellites count as one: real ones rise and set, and each has an age of its own.
struct EphemerisMemory: Equatable, Sendable {
  /// "Hot start = ephemeris < 4 h old and RTC/BBR kept" (`ublox.md` section 5.2; NEO-F10N integration manual).
  static let ageMax = Interval.seconds(4 * 3_600)
  /// Downloading them takes 18 to 36 s under strong signals (`ublox.md` section 5.2).
  static let secondsToReceive: ClosedRange<Double> = 18...36
  /// Fewer give no position, so that knowing theirs helps nothing.
  private static let satellitesMin = 4

  /// When they were last complete; nil: it knows none.
  private(set) var receivedAt: Instant?
  private var listeningSince: Instant?
  private let timeToReceive: Interval

  init(receivedAt: Instant?, random: inout Random) {
    self.receivedAt = receivedAt
    let range = EphemerisMemory.secondsToReceive
    let seconds = range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    timeToReceive = .milliseconds(Int64(seconds * 1_000))
  }

  /// Whether a start at an instant is a hot one.
  func areYoung(at now: Instant) -> Bool {
    receivedAt.map { now - $0 < EphemerisMemory.ageMax } ?? false
  }

  /// They are there now, by whatever way.
  mutating func received(at now: Instant) { receivedAt = now }

  /// It has heard so many satellites: without a break for long enough, what they say is new again.
  mutating func listened(to satellites: Int, at now: Instant) {
    guard satellites >= EphemerisMemory.satellitesMin else {
      listeningSince = nil
      return
    }
    let since = listeningSince ?? now
    listeningSince = since
    if now - since >= timeToReceive { receivedAt = now }
  }
}
