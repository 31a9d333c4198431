import BinnacleBasics

/// Learns false alarms of a board that goes nowhere: wind at a mast, a machine beside it, waves at a quay.
///
/// A rest that shaking ended was ended for nothing when the receiver said, up to the next rest, that the board stood
/// still. After two such the board may sway that much in gusts, until it really moves or nothing has stirred for an
/// hour. The receiver is asked as readily as before.
struct FalseAlarms: Equatable, Codable, Sendable {
  /// Thousandths of g; 0 before a false alarm was learned.
  private var milliG = 0.0
  private var episode: Episode?
  private var count = 0
  /// Hops in a row above the threshold without the learned sway.
  private var activeHops = 0
  private var lastActive: Instant?

  /// From the end of a rest to the next one.
  private struct Episode: Equatable, Codable, Sendable {
    var greatestMilliG = 0.0
    var hops = 0
    var vouchedHops = 0
  }

  /// A single alarm may be a person at the board, who is about to take it away.
  private static let countMin = 2
  /// Nothing that is learned may hide a car that drives off: 17 and more in the median.
  private static let milliGMax = 12.0
  /// The next gust is a little stronger.
  private static let factor = 1.25
  /// Wind comes in gusts: ten seconds without a lull are a road.
  private static let gustHopsMax = 40
  private static let calmMax = Interval.seconds(3_600)

  /// The sway that a rest tolerates, in thousandths of g.
  var toleratedMilliG: Double { activeHops > FalseAlarms.gustHopsMax ? 0 : milliG }

  /// Shaking has ended a rest.
  mutating func restShaken() { episode = Episode() }

  /// The board moves for sure: the learned sway belongs to another place.
  mutating func boardMoved() { self = FalseAlarms() }

  /// Takes a hop, before what was learned is used for it.
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

  /// The next rest has begun, without a movement in between.
  mutating func restBegan() {
    guard let ended = episode else { return }
    episode = nil
    // A person who handles the board shakes it more than any learned sway.
    guard 2 * ended.vouchedHops > ended.hops, ended.greatestMilliG <= FalseAlarms.milliGMax
    else { return }
    count += 1
    guard count >= FalseAlarms.countMin else { return }
    milliG = min(max(milliG, FalseAlarms.factor * ended.greatestMilliG), FalseAlarms.milliGMax)
  }
}
