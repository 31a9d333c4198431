import Accelerometers
public import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Devices
import Glibc
import LocationEngine
import Manifests
import VirtualWire

/// The result of the arguments, the environment and the board's profile.
public struct StartPlan {
  public let settings: Settings
  /// The output of `--check` on success.
  public let summary: String

  /// Reads the profile and the configuration, and opens no device.
  ///
  /// - Parameters:
  ///   - arguments: the command line.
  ///   - deviceTree: the kernel's directory of the device tree, which `--board auto` uses.
  /// - Throws: the reason why the daemon cannot start.
  public init(
    _ arguments: DaemonArguments, deviceTree: String = "/proc/device-tree"
  ) throws(StartFailure) {
    let (profile, files, effective) = try StartPlan.profile(arguments, deviceTree)
    let receiver = try StartPlan.receiver(arguments, profile)
    let userID = Environment.userID
    var engine = Configuration(lastSpeed: profile.receiver.speed)
    engine.bootID = ProcessStatus.bootID
    engine.navigation = profile.navigation
    engine.consent = profile.consent
    engine.console = profile.console
    engine.life = profile.life
    engine.power = profile.power
    engine.power.hasWakeLine = profile.receiver.extInt != nil
    engine.motion = profile.motion
    engine.clients = profile.clients
    engine.track = profile.track
    engine.doors = profile.doors.map(StreamDoorSettings.rights)
    engine.hasAccelerometer = profile.accelerometer != nil
    let runtime = RuntimeDirectory.ofDaemon(option: arguments.runtimeDirectory, userID: userID)
    let panel = try PanelPlan(profile, runtimeDirectory: runtime)
    engine.panel = panel.settings
    var settings = Settings(
      receiverPath: receiver, runtimeDirectory: runtime,
      stateDirectory: RuntimeDirectory.stateOfDaemon(
        option: profile.board.stateDirectory ?? arguments.stateDirectory, userID: userID),
      notifier: ServiceNotifier(), engine: engine, seed: StartPlan.seed())
    settings.statePartition = profile.board.statePartition
    settings.boardNumber = BoardNumber.read(deviceTree: deviceTree)
    settings.lines = panel.lines
    settings.doors = profile.doors.map { StreamDoorSettings($0, runtimeDirectory: runtime) }
    settings.clockWithin = profile.board.clockWithin
    settings.isForEveryUser = userID == 0 || runtime == RuntimeDirectory.ofSystem
    settings.logLevel = arguments.logLevel
    settings.accelerometer = profile.accelerometer.map(AccelerometerSettings.of)
    settings.accelerometerLine = StartPlan.accelerometerLine(profile, runtimeDirectory: runtime)
    settings.isJournal = StartPlan.isJournal
    settings.busPath = StartPlan.busPath(profile, runtimeDirectory: runtime)
    if arguments.receiver == nil, profile.receiver.device == .i2c {
      settings.receiverAddress = profile.receiver.address
      settings.receiverReadyLine = PanelPlan.readyLine(of: profile, runtimeDirectory: runtime)
    }
    settings.profile = ProfileInEffect(profile, effective, of: arguments, deviceTree: deviceTree)
    settings.configurationDirectory = StartPlan.configurationDirectory(arguments)
    settings.apps = AppFiles.shelf(configurationDirectory: settings.configurationDirectory)
    settings.engine.apps = AppRegistry(settings.apps).declarations
    settings.engine.hasUnreadManifests = !settings.apps.complaints.isEmpty
    // A wrong manifest does not stop the other apps, so only a check fails here.
    if arguments.order == .check, !settings.apps.complaints.isEmpty {
      let text = settings.apps.complaints.map { "\($0)" }.joined(separator: "\n")
      throw StartFailure(.configurationWrong, text)
    }
    self.settings = settings
    summary =
      PlanSummary(
        profile: profile, files: files, receiver: receiver,
        isReceiverNamed: arguments.receiver != nil, apps: settings.apps.apps
      ).text
  }

  /// The line of the accelerometer's interrupt output, which is high while active; nil: the output is not wired.
  private static func accelerometerLine(
    _ profile: Profile, runtimeDirectory: String
  ) -> LineRequest? {
    guard let source = profile.board.lines, let name = profile.accelerometer?.interrupt else {
      return nil
    }
    var claim = LineClaim(line: name, consumer: "binnacle accelerometer", use: .edges)
    // Without the chip the line would float.
    claim.bias = .pullDown
    return LineRequest(
      source: PanelPlan.resolved(source, runtimeDirectory: runtimeDirectory), claim: claim)
  }

  /// The path of the bus for `I2CBus`; the socket of a virtual board is in the runtime directory.
  private static func busPath(_ profile: Profile, runtimeDirectory: String) -> String? {
    switch profile.board.bus {
    case .device(let path): path
    case .simulated(let path):
      "sim:" + (path.hasPrefix("/") ? path : runtimeDirectory + "/" + path)
    case nil: nil
    }
  }

  private static func receiver(
    _ arguments: DaemonArguments, _ profile: Profile
  ) throws(StartFailure) -> String {
    if let receiver = arguments.receiver { return receiver }
    switch profile.receiver.device {
    case .serial(let path): return path
    case .i2c: return "i2c, address 0x" + String(profile.receiver.address, radix: 16)
    case nil:
      // A profile without a receiver is complete: its users give the device on the command line.
      if arguments.order == .check, arguments.board != nil {
        return "none; the daemon starts with --receiver DEVICE"
      }
      throw StartFailure(
        .usage, "no receiver: --receiver DEVICE says where it is, or Device= in a board's profile")
    }
  }

  // MARK: The profile

  /// The profile that the command line names, and its files; the default profile if it names none.
  static func profile(
    _ arguments: DaemonArguments, _ deviceTree: String
  ) throws(StartFailure) -> (profile: Profile, files: [String], settings: [EffectiveSetting]) {
    let configuration = configurationDirectory(arguments)
    if arguments.configurationDirectory != nil { try requireDirectory(configuration) }
    guard let board = arguments.board else {
      return (Profile(), [], Profile.effectiveSettings(of: []))
    }
    do throws(BoardFiles.Failure) {
      let found = try BoardFiles(configurationDirectory: configuration, deviceTree: deviceTree)
        .profile(of: board)
      return (found.profile, found.files, found.settings)
    } catch {
      switch error {
      case .notFound(let text): throw StartFailure(.configurationWrong, text)
      case .wrong(let error): throw StartFailure(.configurationWrong, "\(error)")
      case .unreadable(let error):
        throw StartFailure(
          error.errno == .accessDenied ? .notPermitted : .configurationWrong, "\(error)")
      }
    }
  }

  /// The settings with the values that options of the command line give.
  static func settings(
    _ settings: [EffectiveSetting], overriddenBy arguments: DaemonArguments
  ) -> [EffectiveSetting] {
    settings.map { setting in
      var setting = setting
      let option: String? =
        switch (setting.section, setting.key) {
        case ("Receiver", "Device"): arguments.receiver
        // Here the profile comes first.
        case ("Board", "State"): setting.value.isEmpty ? arguments.stateDirectory : nil
        case _: nil
        }
      if let option {
        setting.value = option
        setting.origin = .commandLine
      }
      return setting
    }
  }

  private static func configurationDirectory(_ arguments: DaemonArguments) -> String {
    arguments.configurationDirectory ?? "/etc/binnacle"
  }

  private static func requireDirectory(_ path: String) throws(StartFailure) {
    guard (try? Files.status(of: path))?.kind == .directory else {
      throw StartFailure(
        .configurationWrong, "\(path): there is no such directory; --config DIR names another")
    }
  }

  /// Whether the journal reads standard error: `JOURNAL_STREAM` names its device and inode (systemd.exec(5)).
  public static var isJournal: Bool {
    guard let stream = Environment.value("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  private static func seed() -> UInt64 {
    var random = SystemRandomNumberGenerator()
    return random.next()
  }
}

extension AccelerometerSettings {
  /// The accelerometer settings of a profile.
  ///
  /// Drivers have the names of the profile's chips, and `auto` selects no driver.
  static func of(_ profile: Profile.Accelerometer) -> AccelerometerSettings {
    AccelerometerSettings(
      family: ChipFamily(rawValue: profile.chip.rawValue), address: profile.address,
      rangeG: profile.rangeG, rateHz: profile.rateHz,
      hasLine: profile.interrupt != nil)
  }
}
