public import BinnacleBasics
public import BinnacleModel
public import StateLog

/// Something that happened; a fact in the past tense.
///
/// Every event has a byte encoding (`Trace/EventCoding.swift`), so a trace is a file and replays at a desk.
public enum Event: Equatable, Sendable {
  /// The daemon has started and the engine may act.
  case started
  /// The log of state was read: before `started`, and again after `openState`.
  case stateRead(StateReading)
  /// The changes of the commit of this number are on the disk.
  case committed(UInt32, CommitReceipt)
  /// The changes of the commit of this number are not promised.
  case commitFailed(UInt32, CommitFailure)
  /// The wall clock was read, at start, every 10 minutes and when it was stepped; how far it may be wrong, or nil when
  /// nobody answers for it.
  case wallClockRead(UTCTime, within: Interval? = nil)
  /// The receiver's device was opened at a speed.
  case receiverOpened(ReceiverPort)
  /// The receiver's device could not be opened.
  case receiverOpenFailed(ReceiverFault)
  /// Bytes were read from the receiver.
  case receiverBytesArrived([UInt8])
  /// All bytes given to `writeReceiver` so far have left the board.
  case receiverDrained
  /// The line now runs at this speed (baud).
  case receiverSpeedChanged(Int)
  /// The line refused this speed (baud).
  case receiverSpeedRefused(Int)
  /// The device was closed because it went away or failed.
  case receiverLost(ReceiverFault)
  /// A client's handshake is complete.
  case clientConnected(ClientID, Peer, program: String)
  /// A client went away, for whatever reason.
  case clientDisconnected(ClientID)
  /// A client opened a sequence of live updates.
  case updatesOpened(ClientID, SequenceID, LiveConfiguration)
  /// A client closed a sequence of live updates.
  case updatesClosed(ClientID, SequenceID)
  /// A client that may asked for location services to be on or off for the whole board.
  case servicesRequested(ClientID, request: UInt32, isOn: Bool)
  /// The manifests were read again: what these apps have begun outlasts their absence.
  case appsRead(background: [String])
  /// A client asked for all that its app keeps, and to be told what others change.
  case defaultsRequested(ClientID, request: UInt32)
  /// A piece of a change of what a client's app keeps; with the last one it is to be decided.
  case defaultsSet(ClientID, request: UInt32, isLast: Bool, [DefaultsEntry])
  /// A client that may wants something of what is kept.
  case stateWished(ClientID, request: UInt32, StateWish)
  /// A client asked for the report.
  case statusRequested(ClientID, request: UInt32)
  /// A GPIO line is ours; its level, and whether its chip debounces it.
  case lineOpened(LineID, isActive: Bool, isDebounced: Bool)
  /// The level of a line changed, at an instant that the kernel or the virtual board has stamped.
  case lineEdge(LineID, isActive: Bool, at: Instant)
  /// The level that a line really has: the answer to `setLine` and to `readLine`.
  case lineRead(LineID, isActive: Bool)
  /// A line is not to be had, or is not ours any more.
  case lineLost(LineID, LineFault)
  /// The accelerometer had something to say.
  case accelerometer(AccelerometerNews)
  /// Something came of an order for the log of tracks.
  case track(TrackNews)
  /// The daemon was told to end; it goes on until `Engine.isStateSettled`, or until its patience is over.
  case stopRequested
  /// The instant that `nextDeadline` named has come.
  case deadlineReached

  /// What kind of line the receiver hangs on.
  public struct ReceiverPort: Equatable, Codable, Sendable {
    public enum Kind: UInt8, CaseIterable, Codable, Sendable {
      /// A UART: the speed matters and paces the bytes.
      case uart = 0
      /// A USB device that speaks UBX itself: any speed will do, bytes come in packets.
      case usb = 1
      /// A pseudo-terminal: a program is the receiver.
      case pseudoTerminal = 2
      /// An I2C bus: there is no speed, and bytes come when they are fetched.
      case i2c = 3
      /// The I2C bus of a virtual board: a program is the receiver.
      case virtualI2C = 4

      /// Whether bytes are fetched over a bus.
      public var isBus: Bool { self == .i2c || self == .virtualI2C }
      /// Whether a speed has to be found.
      var hasSpeed: Bool { self == .uart || self == .pseudoTerminal }
    }

    public var kind: Kind
    /// The speed at which the line was opened, in baud; 0 on a bus.
    public var speed: Int
    /// The receiver's address, 7 bit; 0 where there is no bus.
    public var address: UInt8

    /// A line with a speed.
    public init(kind: Kind, speed: Int) {
      self.kind = kind
      self.speed = speed
      address = 0
    }

    /// A place on a bus.
    public init(kind: Kind, address: UInt8) {
      self.kind = kind
      self.address = address
      speed = 0
    }
  }

  /// Why the receiver's device cannot be used.
  public struct ReceiverFault: Equatable, Codable, Sendable {
    public enum Kind: UInt8, CaseIterable, Codable, Sendable {
      case missing = 0
      case busy = 1
      case notPermitted = 2
      case notATerminal = 3
      /// Read 0, EIO, ENODEV or a hang-up: it was unplugged.
      case unplugged = 4
      case failed = 5
    }

    public var kind: Kind
    /// What the system said, and who holds the device where that is known.
    public var text: String

    public init(kind: Kind, text: String) {
      self.kind = kind
      self.text = text
    }
  }
}
