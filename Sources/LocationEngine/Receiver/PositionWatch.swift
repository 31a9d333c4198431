import BinnacleBasics

/// Detects that a configured receiver sends no positions, not even empty ones.
///
///     flowing --messages, but no position for 5 s--> missing, ordered again
///     missing --the same after a pause--> ordered in another way
///     missing --position--> flowing
///
/// The pauses between two attempts grow to 10 min, so a receiver that never sends positions gets few orders.
struct PositionWatch: Equatable, Codable, Sendable {
  private var positionAt: Instant
  private var notBefore: Instant
  private var pause = PositionWatch.pauseMin
  private(set) var state = State.flowing

  enum State: Equatable, Codable, Sendable {
    case flowing
    /// Missing positions in a row.
    case missing(times: Int)
  }

  private static let pauseMin = Interval.seconds(5)
  private static let pauseMax = Interval.seconds(600)
  /// Several epochs at the slowest rate, 1 Hz.
  private static let patience = Interval.seconds(5)

  init(at now: Instant) {
    positionAt = now
    notBefore = now + PositionWatch.pauseMin
  }

  /// No position is expected now, because the receiver is being configured.
  mutating func waited(at now: Instant) {
    positionAt = now
  }

  /// An epoch came, with a fix or without.
  ///
  /// - Returns: whether positions had been missing.
  mutating func positionArrived(at now: Instant) -> Bool {
    positionAt = now
    guard case .missing = state else { return false }
    state = .flowing
    pause = PositionWatch.pauseMin
    return true
  }

  /// A message came that completes no epoch.
  ///
  /// - Parameters:
  ///   - effort: how much longer a damaged line may take.
  ///   - now: the time.
  /// - Returns: how many times in a row positions are missing now; nil if no action is due.
  mutating func otherArrived(_ effort: LineQuality.Effort, at now: Instant) -> Int? {
    guard now - positionAt > PositionWatch.patience * effort.patience, now >= notBefore
    else { return nil }
    let times =
      switch state {
      case .flowing: 1
      case .missing(let times): min(times + 1, 1_000)
      }
    state = .missing(times: times)
    positionAt = now
    notBefore = now + pause
    pause = min(pause * 2, PositionWatch.pauseMax)
    return times
  }
}
