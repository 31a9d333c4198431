public import Basics

/// What is on a board and how it is to be used; read from a file in the style of systemd's units.
///
/// A key that is not in the file has the value that stands here.
public struct Profile: Equatable, Sendable {
  public var receiver = Receiver()
  public var clients = Clients()

  /// `[Receiver]`: the u-blox receiver.
  public struct Receiver: Equatable, Sendable {
    /// `Device`: the serial device, or a link to it; nil: none, the command line must name one.
    public var device: String?
    /// `Speed`: the speed in baud that is tried first; nil: the one that worked last.
    public var speed: Int?
    /// `Rate`: the navigation rate in Hz whatever the clients want; 0 follows them.
    public var rateHz = 0
    /// `RateMax`: the fastest navigation rate that may be asked of the receiver, in Hz.
    public var rateMaxHz = 10
    /// `UnavailableAfter`: no fix for this long is told to the clients.
    public var unavailableAfter = Interval.seconds(5)
  }

  /// `[Clients]`: the programs that are served.
  public struct Clients: Equatable, Sendable {
    /// `ClientsMax`: how many may be connected.
    public var clientsMax = 64
    /// `ClientsPerUserMax`: how many of them may be of one user.
    public var clientsPerUserMax = 16
    /// `SequencesMax`: sequences of updates that one client may have open.
    public var sequencesMax = 32
  }

  public init() {}

  /// Reads a profile.
  ///
  /// - Parameters:
  ///   - bytes: what is in the file.
  ///   - file: how the file is called in complaints.
  /// - Throws: everything that is wrong with it.
  public init(parsing bytes: [UInt8], file: String) throws(ProfileError) {
    let (assignments, complaints) = ProfileText.read(bytes)
    var reading = ProfileReading(profile: Profile(), complaints: complaints)
    for assignment in assignments { reading.take(assignment) }
    reading.checkTogether()
    if !reading.complaints.isEmpty {
      throw ProfileError(file: file, complaints: reading.complaints)
    }
    self = reading.profile
  }
}
