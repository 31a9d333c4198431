/// How readily a rest ends: earlier, or with fewer false ends.
public struct MotionProfile: Equatable, Codable, Sendable {
  /// Active hops in a row that end a rest.
  public var activeHops: Int
  /// Whether one hop far above the threshold does, too.
  public var isSuddenEnough: Bool
  /// Active hops in a row that end a rest against a receiver that is awake and says that nothing moves.
  ///
  /// It follows the wheels half a second to two seconds late, so that it is believed only for so long.
  public var contradictedHops: Int

  /// Half a second of shaking above what a kick leaves; two seconds against the receiver.
  public static let standard = MotionProfile(
    activeHops: 2, isSuddenEnough: true, contradictedHops: 8)

  /// One and a half seconds of shaking; six seconds against the receiver.
  ///
  /// For boards in occupied cars, and where each waking costs.
  public static let quiet = MotionProfile(
    activeHops: 6, isSuddenEnough: false, contradictedHops: 24)

  public init(activeHops: Int, isSuddenEnough: Bool, contradictedHops: Int) {
    precondition((1...32).contains(activeHops), "a profile of no hops or of too many")
    precondition((1...32).contains(contradictedHops), "a profile of no hops or of too many")
    self.activeHops = activeHops
    self.isSuddenEnough = isSuddenEnough
    self.contradictedHops = contradictedHops
  }
}
