public import BinnacleBasics

/// The settings of the engine, with the names and units of the board profile.
public struct Configuration: Equatable, Codable, Sendable {
  /// The user ID of the daemon; this user and root get locations.
  public var daemonUserID: UInt32
  /// The speed in baud at which the receiver answered last; nil if the speed is unknown.
  public var lastSpeed: Int?
  /// `UnavailableAfter`: the time without a fix after which `locationUnavailable` is delivered.
  public var unavailableAfter: Interval = .seconds(5)
  /// `RateMax`: the fastest navigation rate that may be ordered from the receiver, in Hz.
  public var rateMaxHz: Int = 10
  /// `Rate`: the least navigation rate for any demand of the clients, in Hz; 0 follows the demand.
  public var rateHz: Int = 0
  /// `SequencesMax`: the number of sequences that one client may have open.
  public var sequencesPerClientMax: Int = 32
  /// `RejoinWindow`: how long an app may take up its updates after the app or the daemon has left.
  public var rejoinWindow: Interval = .seconds(10)
  /// The identifiers of apps with `BackgroundModes=location`: their updates wait until the app is started.
  public var backgroundApps: [String] = []

  /// Buttons and lights.
  public var panel = PanelSettings()
  /// `[Accelerometer]`: whether the board has an accelerometer.
  public var hasAccelerometer = false
  /// `[Motion]`: the rest times after which updates pause.
  public var dwells = DwellSettings()
  /// `Profile=quiet` of `[Motion]`: updates resume later, and with fewer false alarms.
  public var hasQuietMotionProfile = false
  /// The times at which the receiver sleeps and wakes.
  public var power = PowerSettings()

  /// `[Track]`; nil: no track is recorded.
  public var track: TrackSettings?

  public init(daemonUserID: UInt32, lastSpeed: Int? = nil) {
    self.daemonUserID = daemonUserID
    self.lastSpeed = lastSpeed
  }
}
