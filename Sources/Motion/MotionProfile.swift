/// How readily a rest ends: earlier, or with fewer false ends.
public struct MotionProfile: Equatable, Codable, Sendable {
  /// Active hops in a row that end a rest; against a receiver that denies motion, only if all are far above the threshold.
  public var activeHops: Int
  /// Active hops in a row that end a rest although a receiver that is awake denies motion.
  ///
  /// Its speed follows the wheels half a second to two seconds late, so that its denial counts only for so long.
  public var contradictedHops: Int

  /// Half a second of shaking; two seconds against the receiver.
  public static let standard = MotionProfile(activeHops: 2, contradictedHops: 8)

  /// One and a half seconds of shaking; six seconds against the receiver.
  ///
  /// For boards in occupied cars, and where each wake-up costs.
  public static let quiet = MotionProfile(activeHops: 6, contradictedHops: 24)

  public init(activeHops: Int, contradictedHops: Int) {
    for hops in [activeHops, contradictedHops] {
      precondition((1...32).contains(hops), "a profile of no hops or of too many")
    }
    self.activeHops = activeHops
    self.contradictedHops = contradictedHops
  }
}
