public import BinnacleBasics
public import BinnacleModel
public import StateLog

/// An event, named in the past tense.
///
/// Events are grouped by the part of the board that they come from, and a family goes to the machines of that part. The
/// flight recorder keeps events as values and encodes them when a trace is saved.
public enum Event: Equatable, Codable, Sendable {
  /// The daemon has started and the engine may act.
  case started
  /// The wall clock was read: at the start, every 10 minutes and after a step.
  ///
  /// `within` is the uncertainty of the clock; nil if it is unknown.
  case wallClockRead(UTCTime, within: Interval? = nil)
  case receiver(Receiver)
  /// Stored apart, because it is large and rare: other events, of which the flight recorder keeps many, are half as large.
  indirect case client(ClientID, Client)
  /// All manifests were read again without a mistake; these apps have one now.
  case appsRead([AppDeclaration])
  /// `[Location]` of the profile was read again.
  case consentSettingsRead(ConsentSettings)
  case line(LineID, Line)
  case accelerometer(AccelerometerNews)
  /// Stored apart, as the events of clients are.
  indirect case storage(Storage)
  case launcher(Launcher)
  case track(TrackNews)
  /// The daemon was ordered to stop; the loop runs until `Outlook.isStateSettled`, or until its time limit.
  case stopRequested
  /// The instant of `nextDeadline` has come.
  case deadlineReached

  /// Events of the receiver's device.
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

  /// Events of a client.
  public enum Client: Equatable, Codable, Sendable {
    /// The client's handshake is complete.
    case connected(Peer, program: String)
    /// The client has disconnected, for any reason.
    case disconnected
    /// The client opened a sequence of live updates.
    ///
    /// `isReduced`: the app wants the approximate location, whatever it may have.
    case updatesOpened(SequenceID, LiveConfiguration, SequenceOptions = [])
    /// The client closed a sequence of live updates.
    case updatesClosed(SequenceID)
    /// The client made a session object.
    case sessionOpened(SessionID, AppSession)
    /// The client invalidated a session object.
    case sessionClosed(SessionID)
    /// The client wants the authorization of its app, now and at each change.
    case authorizationWatched
    /// The client wants the presses of buttons with the action `mark`, while its app is in the foreground.
    case buttonsWatched
    /// The client wants the phase of its app, now and at each change.
    case phaseWatched
    /// The client wants every new sky from now on, or no further sky.
    case skyWatched(Bool)
    /// The controlling terminal of the client's process was closed.
    case terminalLost
    /// The client made a request that it may make; the answer contains the same number.
    case requested(UInt32, ClientRequest)
    /// The PIN of the client's request was compared with the board's hash: the answer to `Effect.Client.checkPIN`.
    case pinChecked(UInt32, PINVerdict)
  }

  /// Events of a GPIO line.
  public enum Line: Equatable, Codable, Sendable {
    /// The line is claimed; its level, and whether its chip debounces it.
    case opened(isActive: Bool, isDebounced: Bool)
    /// The level changed, at an instant that the kernel or the virtual board has stamped.
    case edge(isActive: Bool, at: Instant)
    /// The actual level of the line: the answer to `Effect.Line.set` and `.read`.
    case read(isActive: Bool)
    /// The line is unavailable, or was lost.
    case lost(LineFault)
  }

  /// Events of the log of state.
  public enum Storage: Equatable, Codable, Sendable {
    /// The log was read: before `started`, and again after `Effect.Storage.open`.
    case read(StateReading)
    /// The changes of the commit of this number are on the disk.
    case committed(UInt32, CommitReceipt)
    /// The changes of the commit of this number are not stored.
    case commitFailed(UInt32, CommitFailure)
    /// The mark of the log cannot be written, or was written again (nil); commits are acknowledged all the same.
    case markChanged(fault: String?)
  }

  /// The kind of line that the receiver is connected to.
  public struct ReceiverPort: Equatable, Codable, Sendable {
    public enum Kind: UInt8, CaseIterable, Codable, Sendable {
      /// A UART: its speed matters and paces the bytes.
      case uart = 0
      /// A USB device that speaks UBX itself: any speed works, bytes come in packets.
      case usb = 1
      /// A pseudo-terminal: a program is the receiver.
      case pseudoTerminal = 2
      /// An I2C bus: there is no speed, and bytes are fetched.
      case i2c = 3
      /// The I2C bus of a virtual board: a program is the receiver.
      case virtualI2C = 4

      /// Whether bytes are fetched over a bus.
      public var isBus: Bool { self == .i2c || self == .virtualI2C }
      /// Whether the search has to find the speed.
      var hasSpeed: Bool { self == .uart || self == .pseudoTerminal }
    }

    public var kind: Kind
    /// The speed at which the line was opened, in baud; 0 on a bus.
    public var speed: Int
    /// The receiver's 7-bit address; 0 without a bus.
    public var address: UInt8

    /// A line with a speed.
    public init(kind: Kind, speed: Int) {
      self.kind = kind
      self.speed = speed
      address = 0
    }

    /// A receiver on a bus.
    public init(kind: Kind, address: UInt8) {
      self.kind = kind
      self.address = address
      speed = 0
    }
  }
}
