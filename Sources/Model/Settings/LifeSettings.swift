public import BinnacleBasics

/// `[Apps]` of the board's profile: the life of apps that the launcher has started.
public struct LifeSettings: Equatable, Codable, Sendable {
  /// `RunTime`: how long an app in the background runs after its last update.
  public var runTime = Interval.seconds(10)
  /// `QueueMax`: the most updates that wait for an app that is suspended or launched.
  public var queueMax = 3_600
  /// `WakeInterval`: how often an app that has only the right of an always-session is resumed for its updates.
  public var wakeInterval = Interval.seconds(60)
  /// `MemoryReserve`: with less available memory than this, the app that has been suspended longest is ended, in bytes.
  public var memoryReserveBytes: Int64 = 64 << 20

  public init() {}
}
