import Accelerometers
import BinnacleBasics
public import BinnacleModel
public import BinnaclePosix
import Board
import Devices
public import LocationEngine

/// The settings of the daemon, from arguments, environment and profile.
public struct Settings: Sendable {
  /// The receiver's device, or the name of its place on the bus.
  public var receiverPath: String
  public var runtimeDirectory: String
  public var stateDirectory: String
  /// The raw partition that the log of state is on; nil: it is a file in that directory.
  public var statePartition: String?
  /// Whether every user of the board may connect, as the board's own daemon lets them.
  public var isForEveryUser = false
  /// The lines of buttons and lights that the engine may order.
  var lines: [PanelPlan.Wanted] = []
  public var logLevel = LogLevel.info
  /// Whether the journal reads standard error.
  public var isJournal = false
  /// The connection to the service manager.
  public var notifier: ServiceNotifier
  /// The number of the board that the state belongs to.
  public var boardNumber: UInt64 = 0
  /// The engine's settings; a missing last speed is filled in from the kept state.
  public var engine: Configuration
  public var seed: UInt64
  /// The uncertainty of the wall clock when the kernel gives none; nil: unknown.
  var clockWithin: Interval?
  /// Where `apps.d` is.
  var configurationDirectory = "/etc/binnacle"
  /// The apps that have a manifest.
  var apps = AppShelf()
  /// The board's I2C bus: `/dev/i2c-N`, or `sim:PATH`; nil: nothing on it is used.
  var busPath: String?
  /// The receiver's address on the bus; nil: the receiver is a serial device.
  var receiverAddress: UInt8?
  /// The line that the receiver raises while it has bytes; nil: the daemon polls it often.
  var receiverReadyLine: LineRequest?
  /// The door for sentences of NMEA 0183; nil: the profile opens none.
  var sentenceDoor: SentenceDoorSettings?
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
