import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A way by which programs reach the daemon.
///
/// A door turns the bytes of its transport into events of clients, and the engine's messages to its clients into bytes of
/// its transport. It decides nothing about what an app may have: the engine does.
protocol Door: AnyObject {
  /// Adds the descriptors that the door waits for.
  func watch(with pollSet: inout PollSet)

  /// Serves what the descriptors have.
  func look(_ pollSet: PollSet, at now: Instant, into outcomes: inout [DoorOutcome])

  /// When the door acts although no descriptor is ready; nil while it has nothing to do.
  var nextDeadline: Instant? { get }

  func deadlineReached(at now: Instant, into outcomes: inout [DoorOutcome])

  /// Hands a message of the engine to a client.
  ///
  /// - Returns: false when the client is not one of this door.
  func send(
    _ message: Effect.Client, to client: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) -> Bool

  /// Answers a request with bytes that the daemon holds beside the engine: the trace or the stored records.
  ///
  /// - Returns: false when the client is not one of this door.
  func send(_ bulk: Bulk, _ bytes: [UInt8], to client: ClientID, request: UInt32, at now: Instant)
    -> Bool

  /// Whose budget the log lines take that a client causes; nil when the client is not one of this door.
  func logSource(of client: ClientID) -> LogSource?

  /// What the report says of the door's connections.
  func add(to report: inout Report)

  /// The daemon stops: clients are told, and the transport is closed.
  func stopping(at now: Instant)
}

extension Door {
  func send(_ bulk: Bulk, _ bytes: [UInt8], to client: ClientID, request: UInt32, at now: Instant)
    -> Bool
  {
    false
  }
}

/// A long answer from beside the engine.
enum Bulk: Equatable {
  /// The contents of the flight recorder.
  case trace
  /// The stored records.
  case state
}

/// What a door has for the loop.
enum DoorOutcome: Equatable {
  case event(Event)
  /// A client asked for a long answer.
  case bulkRequested(ClientID, request: UInt32, Bulk)
  case log(LogLevel, String, from: LogSource)
}
