public import BinnacleBasics

/// `[Receiver]` of the board's profile: when the receiver sleeps.
public struct PowerSettings: Equatable, Codable, Sendable {
  /// `Sleep`: whether the receiver sleeps at all.
  public var sleeps = true
  /// `RestBeforeSleep`: how long the receiver stays on while all updates pause; until then updates resume at once.
  public var restBeforeSleep = Interval.seconds(60)
  /// `SearchBudget`: how long the receiver searches without any satellite signal.
  public var searchBudget = Interval.seconds(300)
  /// How long the receiver stays on when no app wants positions any more.
  public var graceBeforeOff = Interval.seconds(60)

  /// `ExtInt`: whether a line is wired to the receiver's pin EXTINT.
  public var hasWakeLine = false

  public init() {}
}
