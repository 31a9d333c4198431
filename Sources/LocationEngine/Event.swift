public import BinnacleBasics
public import BinnacleModel
public import StateLog

/// Something that happened; a fact in the past tense.
///
/// Events are grouped by the part of the board that they come from, and a family goes to the machines of that part. The
/// flight recorder keeps events as they are and codes them when a trace is saved.
public enum Event: Equatable, Codable, Sendable {
  /// The daemon has started and the engine may act.
  case started
  /// The wall clock was read, at start, every 10 minutes and when it was stepped; how far it may be wrong, or nil when
  /// that is unknown.
  case wallClockRead(UTCTime, within: Interval? = nil)
  case receiver(Receiver)
  case client(ClientID, Client)
  /// The manifests were read again: the updates of these apps stay outstanding while the apps are away.
  case appsRead(background: [String])
  case line(LineID, Line)
  case accelerometer(AccelerometerNews)
  case storage(Storage)
  case track(TrackNews)
  /// The daemon was told to end; it goes on until `Engine.isStateSettled`, or until its patience is over.
  case stopRequested
  /// The instant that `nextDeadline` named has come.
  case deadlineReached

  /// What happens to the receiver's device.
  public enum Receiver: Equatable, Codable, Sendable {
    /// The device was opened at a speed.
    case opened(ReceiverPort)
    /// The device could not be opened.
    case openFailed(ReceiverFault)
    /// Bytes were read.
    case bytesArrived([UInt8])
    /// All bytes given to `Effect.Receiver.write` so far have left the board.
    case drained
    /// The line now runs at this speed (baud).
    case speedChanged(Int)
    /// The line refused this speed (baud).
    case speedRefused(Int)
    /// The device was closed because it went away or failed.
    case lost(ReceiverFault)
  }

  /// What a client does.
  public enum Client: Equatable, Codable, Sendable {
    /// Its handshake is complete.
    case connected(Peer, program: String)
    /// It went away, for whatever reason.
    case disconnected
    /// It opened a sequence of live updates.
    case updatesOpened(SequenceID, LiveConfiguration)
    /// It closed a sequence of live updates.
    case updatesClosed(SequenceID)
    /// It wants every new sky from now on, or no more of them.
    case skyWatched(Bool)
    /// It made a request that it may make; the number comes back with the answer.
    case requested(UInt32, ClientRequest)
  }

  /// What happens to a GPIO line.
  public enum Line: Equatable, Codable, Sendable {
    /// The line is claimed; its level, and whether its chip debounces it.
    case opened(isActive: Bool, isDebounced: Bool)
    /// Its level changed, at an instant that the kernel or the virtual board has stamped.
    case edge(isActive: Bool, at: Instant)
    /// The level that the line really has: the answer to `Effect.Line.set` and `.read`.
    case read(isActive: Bool)
    /// The line is unavailable, or was lost.
    case lost(LineFault)
  }

  /// What happens to the log of state.
  public enum Storage: Equatable, Codable, Sendable {
    /// The log was read: before `started`, and again after `Effect.Storage.open`.
    case read(StateReading)
    /// The changes of the commit of this number are on the disk.
    case committed(UInt32, CommitReceipt)
    /// The changes of the commit of this number are not promised.
    case commitFailed(UInt32, CommitFailure)
  }

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
