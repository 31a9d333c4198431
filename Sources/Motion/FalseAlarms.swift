import BinnacleBasics

/// Learns false alarms of a stationary board: wind at a mast, a machine beside it, waves at a quay.
///
/// If shaking ended a rest and the receiver reported no motion until the next rest, the end was a false alarm. After
/// two false alarms the board may sway that much in gusts. The learned sway is dropped when the board really moves, or
/// after an hour without motion. The receiver is still polled at the same threshold as before.
struct FalseAlarms: Equatable, Codable, Sendable {
  /// The learned sway in thousandths of g; 0 before a false alarm was learned.
  private var milliG = 0.0
  private var episode: Episode?
  private var count = 0
  /// The number of consecutive hops above the threshold without the learned sway.
  private var activeHops = 0
  private var lastActive: Instant?

  /// The time from the end of a rest to the next rest.
  private struct Episode: Equatable, Codable, Sendable {
    var greatestMilliG = 0.0
    var hops = 0
    var vouchedHops = 0
  }

  /// A single alarm may be a person at the board, and this person may soon take the board away.
  private static let countMin = 2
  /// The largest learned sway; it must not hide the start of a car, whose median is 17 and more.
  private static let milliGMax = 12.0
  /// The next gust may be slightly stronger.
  private static let factor = 1.25
  /// Wind comes in gusts: ten seconds without a pause are driving.
  private static let gustHopsMax = 40
  private static let calmMax = Interval.seconds(3_600)

  /// The sway that a rest tolerates, in thousandths of g.
  var toleratedMilliG: Double { activeHops > FalseAlarms.gustHopsMax ? 0 : milliG }

  /// Notes that shaking has ended a rest.
  mutating func restShaken() { episode = Episode() }

  /// Drops the learned sway, because the board certainly moves and leaves the place.
  mutating func boardMoved() { self = FalseAlarms() }

  /// Takes a hop; call this before using the learned sway for the hop.
  mutating func hopEnded(
    _ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?, at now: Instant
  ) {
    activeHops = sway?.isActive == true ? activeHops + 1 : 0
    if activeHops > 0 { lastActive = now }
    if let lastActive, now - lastActive > FalseAlarms.calmMax { self = FalseAlarms() }
    guard var changed = episode else { return }
    changed.hops += 1
    if speed?.vouches == true { changed.vouchedHops += 1 }
    changed.greatestMilliG = max(changed.greatestMilliG, sway?.steadyMilliG ?? 0)
    episode = changed
  }

  /// Notes the begin of the next rest, without a movement since the last rest.
  mutating func restBegan() {
    guard let ended = episode else { return }
    episode = nil
    // A person who handles the board shakes it more than the largest learned sway.
    guard 2 * ended.vouchedHops > ended.hops, ended.greatestMilliG <= FalseAlarms.milliGMax
    else { return }
    count += 1
    guard count >= FalseAlarms.countMin else { return }
    milliG = min(max(milliG, FalseAlarms.factor * ended.greatestMilliG), FalseAlarms.milliGMax)
  }
}
