/// The sensitivity of the end of a rest: earlier, or with fewer false ends.
public struct MotionProfile: Equatable, Codable, Sendable {
  /// The number of consecutive active hops that end a rest.
  ///
  /// If the receiver denies motion, these hops count only if all of them are far above the threshold.
  public var activeHops: Int
  /// The number of consecutive active hops that end a rest although an awake receiver denies motion.
  ///
  /// The receiver's speed is half a second to two seconds late, so its denial counts only for this time.
  public var contradictedHops: Int

  /// Half a second of shaking ends a rest; two seconds if the receiver denies motion.
  public static let standard = MotionProfile(activeHops: 2, contradictedHops: 8)

  /// One and a half seconds of shaking end a rest; six seconds if the receiver denies motion.
  ///
  /// This profile is for boards in occupied cars, and for boards on which each wake-up is expensive.
  public static let quiet = MotionProfile(activeHops: 6, contradictedHops: 24)

  public init(activeHops: Int, contradictedHops: Int) {
    for hops in [activeHops, contradictedHops] {
      precondition((1...32).contains(hops), "a profile of no hops or of too many")
    }
    self.activeHops = activeHops
    self.contradictedHops = contradictedHops
  }
}
