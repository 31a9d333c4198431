/// What ends rests of a board that goes nowhere: wind at a mast, a machine beside it, waves at a quay.
///
/// A rest that shaking ended was ended for nothing when the receiver said, up to the next rest, that the board stood
/// still. After two such the board may sway that much, until it really moves or nothing has stirred for an hour.
struct FalseAlarms: Equatable, Codable, Sendable {
  /// What a rest may sway by in thousandths of g; 0 while nothing is learned.
  private(set) var milliG = 0.0
  private var episode: Episode?
  private var count = 0
  private var calmHops = 0

  /// From the end of a rest to the next one.
  private struct Episode: Equatable, Codable, Sendable {
    var greatestMilliG = 0.0
    var hops = 0
    var vouchedHops = 0
  }

  /// One may be somebody at the board, who is about to take it away.
  private static let countMin = 2
  /// Nothing that is learned may hide a car that drives off: 17 and more in the median.
  private static let milliGMax = 12.0
  /// The next gust is a little stronger.
  private static let factor = 1.25
  /// An hour.
  private static let calmHopsMax = 4 * 3_600

  /// Shaking has ended a rest.
  mutating func restShaken() { episode = Episode() }

  /// The board moves for sure: what was learned is of another place.
  mutating func boardMoved() { self = FalseAlarms() }

  /// Takes a hop, before what was learned is used for it.
  mutating func hopEnded(_ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?) {
    calmHops = sway?.isActive == true ? 0 : calmHops + 1
    if calmHops > FalseAlarms.calmHopsMax { self = FalseAlarms() }
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
    // Whoever handles the board shakes it more than anything that is learned.
    guard 2 * ended.vouchedHops > ended.hops, ended.greatestMilliG <= FalseAlarms.milliGMax
    else { return }
    count += 1
    guard count >= FalseAlarms.countMin else { return }
    milliG = min(max(milliG, FalseAlarms.factor * ended.greatestMilliG), FalseAlarms.milliGMax)
  }
}
