public import BinnacleModel

/// The settings of the engine, with the names and units of the board profile.
public struct Configuration: Equatable, Codable, Sendable {
  /// The user that the daemon runs as: this user and root are served.
  public var daemonUserID: UInt32
  /// The speed (baud) at which the receiver answered last, if it is known from an earlier run.
  public var lastSpeed: Int?
  public var navigation = NavigationSettings()
  public var power = PowerSettings()
  public var motion = MotionSettings()
  public var clients = ClientSettings()
  /// nil: no track is kept.
  public var track: TrackSettings?
  /// The identifiers of apps with `BackgroundModes=location`: their updates wait until the app is started.
  public var backgroundApps: [String] = []

  /// Buttons and lights.
  public var panel = PanelSettings()
  /// `[Accelerometer]`: whether the board has one.
  public var hasAccelerometer = false

  public init(daemonUserID: UInt32, lastSpeed: Int? = nil) {
    self.daemonUserID = daemonUserID
    self.lastSpeed = lastSpeed
  }
}
