public import BinnacleBasics

/// The settings of the engine, with the names and units of the board profile.
public struct Configuration: Equatable, Codable, Sendable {
  /// The user that the daemon runs as: this user and root are served.
  public var daemonUserID: UInt32
  /// The speed (baud) at which the receiver answered last, if it is known from an earlier run.
  public var lastSpeed: Int?
  /// `UnavailableAfter`: after this time without a fix `locationUnavailable` is delivered.
  public var unavailableAfter: Interval = .seconds(5)
  /// `RateMax`: the fastest navigation rate that may be asked of the receiver, in Hz.
  public var rateMaxHz: Int = 10
  /// `Rate`: the navigation rate that is asked for whatever the clients want, in Hz; 0 follows the clients.
  public var rateHz: Int = 0
  /// `SequencesMax`: sequences that one client may have open.
  public var sequencesPerClientMax: Int = 32
  /// `RejoinWindow`: how long an app that left, or whose daemon did, may take up its updates again.
  public var rejoinWindow: Interval = .seconds(10)
  /// The identifiers of apps with `BackgroundModes=location`: their updates wait until the app is started.
  public var backgroundApps: [String] = []

  /// Buttons and lights.
  public var panel = PanelSettings()
  /// `[Accelerometer]`: whether the board has one.
  public var hasAccelerometer = false
  /// `[Motion]`: when updates pause because the board rests.
  public var dwells = DwellSettings()
  /// `Profile=quiet` of `[Motion]`: updates resume later, and with fewer false alarms.
  public var hasQuietMotionProfile = false
  /// When the receiver sleeps.
  public var power = PowerSettings()

  /// `[Track]`; nil: no track is kept.
  public var track: TrackSettings?

  public init(daemonUserID: UInt32, lastSpeed: Int? = nil) {
    self.daemonUserID = daemonUserID
    self.lastSpeed = lastSpeed
  }
}
