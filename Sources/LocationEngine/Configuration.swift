public import BinnacleBasics

/// The settings of the engine; the names and units of the numbers are those of the board profile.
public struct Configuration: Equatable, Codable, Sendable {
  /// The user that the daemon runs as: this one and root are served.
  public var daemonUserID: UInt32
  /// The speed (baud) at which the receiver answered last, if it is known from an earlier run.
  public var lastSpeed: Int?
  /// `UnavailableAfter`: no fix for this long is told as `locationUnavailable`.
  public var unavailableAfter: Interval = .seconds(5)
  /// `RateMax`: the fastest navigation rate that may be asked of the receiver, in Hz.
  public var rateMaxHz: Int = 10
  /// `Rate`: the navigation rate that is asked for whatever the clients want, in Hz; 0 follows the clients.
  public var rateHz: Int = 0
  /// `SequencesMax`: sequences that one client may have open.
  public var sequencesPerClientMax: Int = 32
  /// `RejoinWindow`: how long an app that went, or whose daemon did, may take up again what it had.
  public var rejoinWindow: Interval = .seconds(10)
  /// The identifiers of apps with `BackgroundModes=location`: what they have begun waits until they are started.
  public var backgroundApps: [String] = []

  /// Buttons and lights.
  public var panel = PanelSettings()
  /// `[Accelerometer]`: whether the board has one.
  public var hasAccelerometer = false
  /// `[Motion]`: when updates pause because the board rests.
  public var dwells = DwellSettings()
  /// `Profile=quiet` of `[Motion]`: they go on later, and less often for nothing.
  public var hasQuietMotionProfile = false
  /// When the receiver sleeps.
  public var power = PowerSettings()

  /// `[Track]`; nil: where the board was is not kept.
  public var track: TrackSettings?

  public init(daemonUserID: UInt32, lastSpeed: Int? = nil) {
    self.daemonUserID = daemonUserID
    self.lastSpeed = lastSpeed
  }
}
