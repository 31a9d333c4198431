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
  /// The same where nothing had stirred for half a minute: who sits in a car does not keep so still.
  ///
  /// A lift has no speed over ground, so that the receiver denies it for as long as it is asked.
  public var contradictedCalmHops: Int

  /// Half a second of shaking above what a kick leaves; against the receiver two seconds, or 0.75 s after a calm.
  public static let standard = MotionProfile(
    activeHops: 2, isSuddenEnough: true, contradictedHops: 8, contradictedCalmHops: 3)

  /// One and a half seconds of shaking; six seconds against the receiver, or two after a calm.
  ///
  /// For boards in occupied cars, and where each waking costs.
  public static let quiet = MotionProfile(
    activeHops: 6, isSuddenEnough: false, contradictedHops: 24, contradictedCalmHops: 8)

  public init(
    activeHops: Int, isSuddenEnough: Bool, contradictedHops: Int, contradictedCalmHops: Int
  ) {
    for hops in [activeHops, contradictedHops, contradictedCalmHops] {
      precondition((1...32).contains(hops), "a profile of no hops or of too many")
    }
    self.activeHops = activeHops
    self.isSuddenEnough = isSuddenEnough
    self.contradictedHops = contradictedHops
    self.contradictedCalmHops = contradictedCalmHops
  }
}
