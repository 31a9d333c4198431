import BinnacleBasics

/// The time at which a receiver has received its ephemerides, which decides the kind of its next start.
///
/// All satellites count as one: real satellites rise and set, and the ephemeris of each has its own age.
struct EphemerisMemory: Equatable, Sendable {
  /// A start is hot if the ephemerides are younger than 4 h and clock and memory were kept (NEO-F10N integration
  /// manual, UBXDOC-963802114-12193).
  static let ageMax = Interval.seconds(4 * 3_600)
  /// The download of ephemerides takes 18 to 36 s under strong signals (Docs/SOURCES.md, U5).
  static let secondsToReceive: ClosedRange<Double> = 18...36
  /// Fewer satellites give no position, so their ephemerides do not help.
  private static let satellitesMin = 4

  /// The time at which the ephemerides were last complete; nil: the receiver knows none.
  private(set) var receivedAt: Instant?
  private var listeningSince: Instant?
  private let timeToReceive: Interval

  init(receivedAt: Instant?, random: inout Random) {
    self.receivedAt = receivedAt
    let range = EphemerisMemory.secondsToReceive
    let seconds = range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    timeToReceive = .milliseconds(Int64(seconds * 1_000))
  }

  /// Whether a start at an instant is a hot start.
  func areYoung(at now: Instant) -> Bool {
    receivedAt.map { now - $0 < EphemerisMemory.ageMax } ?? false
  }

  /// Notes that the ephemerides are present now, from any source.
  mutating func received(at now: Instant) { receivedAt = now }

  /// Notes the number of tracked satellites; enough satellites without a break for long enough renew the ephemerides.
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
