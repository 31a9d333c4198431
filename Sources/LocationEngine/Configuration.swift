public import BinnacleModel

/// The settings of the engine, with the names and units of the board profile.
public struct Configuration: Equatable, Codable, Sendable {
  /// The speed in baud at which the receiver answered last; nil if the speed is unknown.
  public var lastSpeed: Int?
  public var navigation = NavigationSettings()
  public var power = PowerSettings()
  public var motion = MotionSettings()
  public var clients = ClientSettings()
  /// nil: no track is recorded.
  public var track: TrackSettings?
  /// `[Location]`: the rights of apps.
  public var consent = ConsentSettings()
  /// `[Console]`: the rights of a person at a console on a serial line.
  public var console = ConsoleSettings()
  /// `[Apps]`: the life of apps that the launcher has started.
  public var life = LifeSettings()
  /// The apps with a manifest.
  ///
  /// Updates of apps with `BackgroundModes=location` wait until the app is started.
  public var apps: [AppDeclaration] = []
  /// Whether a manifest could not be used at the start, so that an app that is not in `apps` may have one.
  public var hasUnreadManifests = false

  /// The doors of the board's profile.
  public var doors: [DoorSettings] = []

  /// Buttons and lights.
  public var panel = PanelSettings()
  /// `[Accelerometer]`: whether the board has an accelerometer.
  public var hasAccelerometer = false

  /// The number of the boot, as text; empty: the numbers of processes may be those of another boot.
  public var bootID = ""

  public init(lastSpeed: Int? = nil) {
    self.lastSpeed = lastSpeed
  }
}
