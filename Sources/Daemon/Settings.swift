import Accelerometers
import BinnacleBasics
public import BinnacleModel
public import BinnaclePosix
import Board
import Devices
public import LocationEngine

/// The settings of the daemon, from arguments, environment and profile.
public struct Settings: Sendable {
  /// The receiver's device, or its name on the bus.
  public var receiverPath: String
  public var runtimeDirectory: String
  public var stateDirectory: String
  /// The raw partition of the state log; nil: the log is a file in that directory.
  public var statePartition: String?
  /// Whether every user of the board may connect, as for the board's own daemon.
  public var isForEveryUser = false
  /// The lines of buttons and lights for the engine.
  var lines: [PanelPlan.Wanted] = []
  public var logLevel = LogLevel.info
  /// Whether the journal reads standard error.
  public var isJournal = false
  /// The connection to the service manager.
  public var notifier: ServiceNotifier
  /// The number of the board that the state belongs to.
  public var boardNumber: UInt64 = 0
  /// The engine's settings; the last speed is filled in from the stored state.
  public var engine: Configuration
  public var seed: UInt64
  /// The uncertainty of the wall clock if the kernel reports none; nil: unknown.
  var clockWithin: Interval?
  /// The directory that contains `apps.d`.
  var configurationDirectory = "/etc/binnacle"
  /// The profile, which is read again when the daemon gets SIGHUP; nil: there is none.
  var profile: ProfileInEffect?
  /// The apps with a manifest.
  var apps = AppShelf()
  /// The board's I2C bus: `/dev/i2c-N`, or `sim:PATH`; nil: no device on a bus is used.
  var busPath: String?
  /// The receiver's address on the bus; nil: the receiver is a serial device.
  var receiverAddress: UInt8?
  /// The line on which the receiver signals waiting bytes; nil: the daemon polls the receiver often.
  var receiverReadyLine: LineRequest?
  /// The doors of the profile.
  var doors: [StreamDoorSettings] = []
  /// The settings of the accelerometer on the bus; nil: there is none.
  var accelerometer: AccelerometerSettings?
  /// The line of the accelerometer's interrupt output; nil: it is not wired.
  var accelerometerLine: LineRequest?

  public init(
    receiverPath: String, runtimeDirectory: String, stateDirectory: String,
    notifier: ServiceNotifier,
    engine: Configuration, seed: UInt64
  ) {
    self.receiverPath = receiverPath
    self.runtimeDirectory = runtimeDirectory
    self.stateDirectory = stateDirectory
    self.notifier = notifier
    self.engine = engine
    self.seed = seed
  }
}
