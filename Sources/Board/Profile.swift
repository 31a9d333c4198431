public import BinnacleModel

/// The hardware of a board and how to use it; read from a file in the style of systemd's units.
///
/// A key that is not in the file has the value that stands here.
public struct Profile: Equatable, Sendable {
  public var board = Board()
  public var receiver = Receiver()
  /// `[Receiver]`: how often the receiver reports positions.
  public var navigation = NavigationSettings()
  /// `[Receiver]`: when the receiver sleeps.
  public var power = PowerSettings()
  /// `[Accelerometer]`; nil: there is none, or `Chip=none`.
  public var accelerometer: Accelerometer?
  /// `[Motion]`.
  public var motion = MotionSettings()
  /// `[Indicator]`; nil: there is none, or neither `Line` nor `Class` names a light.
  public var indicator: Indicator?
  /// `[StatusLED]`; nil: there is none, or `Line=none`.
  public var statusLED: StatusLED?
  /// `[Button NAME]`, in the order of the files; those with `Line=none` are left out.
  public var buttons: [Button] = []
  public var buttonTiming = ButtonTiming()
  /// `[Clients]`.
  public var clients = ClientSettings()
  /// `[Location]`: the rights of apps.
  public var consent = ConsentSettings()
  /// `[Console]`: the rights of a person at a console on a serial line.
  public var console = ConsoleSettings()
  /// `[Apps]`: the life of apps that the launcher has started.
  public var life = LifeSettings()
  /// `[Track]`; nil: no track is kept.
  public var track: TrackSettings?
  /// `[Door NMEA]`, in the order of `DoorKind`; those with neither `Terminal` nor `Socket` are left out.
  public var doors: [Door] = []

  /// `[Receiver]`: the wires of the u-blox receiver.
  public struct Receiver: Equatable, Sendable {
    /// `Device`: the device or bus address of the receiver; nil: the command line must name it.
    public var device: Device?
    /// `Address`: where the receiver is on the bus, 7 bit.
    ///
    /// u-blox receivers come with 0x42 (u-blox 8 / u-blox M8 Receiver description, DDC port).
    public var address: UInt8 = 0x42
    /// `TxReady`: the name of the line that the receiver raises when it has data to read over I2C.
    public var txReady: String?
    /// `ExtInt`: the name of the line that is wired to the receiver's pin EXTINT, which wakes it.
    public var extInt: String?
    /// `Speed`: the speed in baud that is tried first; nil: the one that worked last.
    public var speed: Int?

    /// Whether the receiver sleeps.
    enum Sleep: String, CaseIterable {
      /// While the board rests, no client wants positions, or no satellite is heard; only if the receiver can be woken.
      case auto
      case never
    }

    /// How a receiver is reached.
    public enum Device: Equatable, Sendable {
      /// A serial device, or a link to it.
      case serial(path: String)
      /// The bus that `[Board]` names.
      case i2c
    }
  }

  public init() {}

  /// Whether there is the button of a gesture, and the gesture has no action.
  func isFree(_ presence: PresenceGesture) -> Bool {
    buttons.contains {
      $0.name == presence.button && $0.actions[presence.gesture] == .none
    }
  }

  /// Reads a profile of one file.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - file: the name of the file in complaints.
  /// - Throws: everything that is wrong with it.
  public init(parsing bytes: [UInt8], file: String) throws(SettingsError) {
    try self.init(parsing: [SettingsFile(path: file, bytes: bytes)])
  }

  /// Reads a profile and its drop-ins.
  ///
  /// - Parameter files: the profile, then its drop-ins; a later file overrides earlier ones.
  /// - Throws: everything that is wrong with them.
  public init(parsing files: [SettingsFile]) throws(SettingsError) {
    var reading = SettingsReading(Profile.settings, into: ProfileDraft())
    for file in files { reading.take(file) }
    let hasAccelerometer = reading.sections.contains { $0.name == "Accelerometer" }
    let profile = reading.draft.finished(hasAccelerometerSection: hasAccelerometer)
    var complaints = reading.complaints
    if complaints.isEmpty {
      let context = ProfileContext(
        profile: profile, taken: reading.taken, sections: reading.sections)
      complaints = context.complaints
    }
    if !complaints.isEmpty { throw SettingsError(complaints: complaints) }
    self = profile
  }
}
