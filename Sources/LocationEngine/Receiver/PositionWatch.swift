import BinnacleBasics

/// Notices that a receiver which is set up sends no positions, not even empty ones.
///
///     flowing --messages, but no position for 5 s--> missing, told again what to send
///     missing --the same after a pause--> told something else
///     missing --position--> flowing
///
/// The pauses between two tries grow, so that a receiver that never sends any is not configured for ever.
struct PositionWatch: Equatable, Codable, Sendable {
  private var positionAt: Instant
  private var notBefore: Instant
  private var pause = PositionWatch.pauseMin
  private(set) var state = State.flowing

  enum State: Equatable, Codable, Sendable {
    case flowing
    /// So many times in a row none came.
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

  /// None is expected now, since the receiver is being told what to send.
  mutating func waited(at now: Instant) {
    positionAt = now
  }

  /// An epoch came, with a fix or without.
  ///
  /// - Returns: whether none had come before.
  mutating func positionArrived(at now: Instant) -> Bool {
    positionAt = now
    guard case .missing = state else { return false }
    state = .flowing
    pause = PositionWatch.pauseMin
    return true
  }

  /// Something came that completes no epoch.
  ///
  /// - Parameters:
  ///   - effort: how much longer a damaged line may take.
  ///   - now: the time.
  /// - Returns: how many times in a row positions are missed now; nil when nothing is to be done about it.
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
