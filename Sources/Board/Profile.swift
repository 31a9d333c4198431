public import BinnacleBasics

/// The hardware of a board and how to use it; read from a file in the style of systemd's units.
///
/// A key that is not in the file has the value that stands here.
public struct Profile: Equatable, Sendable {
  public var board = Board()
  public var receiver = Receiver()
  /// `[Accelerometer]`; nil: there is none, or `Chip=none`.
  public var accelerometer: Accelerometer?
  public var motion = Motion()
  /// `[Indicator]`; nil: there is none, or `Line=none`.
  public var indicator: Indicator?
  /// `[StatusLED]`; nil: there is none, or `Line=none`.
  public var statusLED: StatusLED?
  /// `[Button NAME]`, in the order of the files; those with `Line=none` are left out.
  public var buttons: [Button] = []
  public var buttonTiming = ButtonTiming()
  public var clients = Clients()
  public var track = Track()
  /// `[Door NMEA]`; nil: neither `Terminal` nor `Socket` is given, so there is no such door.
  public var sentenceDoor: SentenceDoor?

  /// `[Receiver]`: the u-blox receiver.
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
    /// `Rate`: the navigation rate in Hz, regardless of the clients' requests; 0 follows the clients.
    public var rateHz = 0
    /// `RateMax`: the fastest navigation rate that may be asked of the receiver, in Hz.
    public var rateMaxHz = 10
    /// `UnavailableAfter`: without a fix for this long, clients are informed.
    public var unavailableAfter = Interval.seconds(5)
    /// `Sleep`: whether the receiver sleeps while no client needs positions.
    public var sleep = Sleep.auto
    /// `RestBeforeSleep`: how long it stays on when the board rests.
    public var restBeforeSleep = Interval.seconds(60)
    /// `SearchBudget`: how long it searches without hearing any satellite.
    public var searchBudget = Interval.seconds(300)

    /// Whether the receiver sleeps.
    public enum Sleep: String, CaseIterable, Sendable {
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

  /// `[Clients]`: the programs that are served.
  public struct Clients: Equatable, Sendable {
    /// `ClientsMax`: how many may be connected.
    public var clientsMax = 64
    /// `ClientsPerUserMax`: how many of them may be of one user.
    public var clientsPerUserMax = 16
    /// `SequencesMax`: sequences of updates that one client may have open.
    public var sequencesMax = 32
    /// `RejoinWindow`: how long an app may resume its updates after the app or its daemon has ended.
    public var rejoinWindow = Interval.seconds(10)
  }

  /// `[Track]`: whether the positions of the board are recorded.
  public struct Track: Equatable, Sendable {
    /// `Track`: how exactly; nil (`off`): not at all.
    public var accuracy: Accuracy?
    /// `Period`: the least time between two points.
    public var period = Interval.seconds(1)
    /// `Days`: older points are removed.
    public var daysKept = 7

    /// How exactly places are kept.
    public enum Accuracy: String, CaseIterable, Sendable {
      case full
      /// As cells of about 5 km.
      case reduced
    }
  }

  public init() {}

  /// Reads a profile of one file.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - file: how the file is called in complaints.
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
