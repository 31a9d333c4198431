import BinnacleBasics
import BinnacleModel
import LocationEngine

/// A transport through which programs reach the daemon.
///
/// A door converts the bytes of its transport into client events, and the engine's messages to its clients into bytes.
/// A door makes no decision about the rights of an app: the engine does.
protocol Door: AnyObject {
  /// Adds the descriptors of the door to the poll.
  func watch(with pollSet: inout PollSet)

  /// Serves the ready descriptors.
  func handleReady(_ pollSet: PollSet, at now: Instant, into outcomes: inout [DoorOutcome])

  /// The next deadline of the door, even if no descriptor is ready; nil without a deadline.
  var nextDeadline: Instant? { get }

  func deadlineReached(at now: Instant, into outcomes: inout [DoorOutcome])

  /// Sends a message of the engine to a client.
  ///
  /// - Returns: false if the client does not belong to this door.
  func send(
    _ message: Effect.Client, to client: ClientID, at now: Instant,
    into outcomes: inout [DoorOutcome]
  ) -> Bool

  /// Answers a request with data from outside the engine: the trace or the stored records.
  ///
  /// - Returns: false if the client does not belong to this door.
  func send(_ bulk: Bulk, _ bytes: [UInt8], to client: ClientID, request: UInt32, at now: Instant)
    -> Bool

  /// The source of the log lines that a client causes; nil if the client does not belong to this door.
  func logSource(of client: ClientID) -> LogSource?

  /// Adds the door's connections to a report.
  func add(to report: inout Report)

  /// Informs the clients that the daemon stops, and closes the transport.
  func stopping(at now: Instant)
}

extension Door {
  func send(_ bulk: Bulk, _ bytes: [UInt8], to client: ClientID, request: UInt32, at now: Instant)
    -> Bool
  {
    false
  }
}

/// A long answer from outside the engine.
enum Bulk: Equatable {
  /// The contents of the flight recorder.
  case trace
  /// The stored records.
  case state
}

/// A result of the door for the loop.
enum DoorOutcome: Equatable {
  case event(Event)
  /// A client has requested a long answer.
  case bulkRequested(ClientID, request: UInt32, Bulk)
  case log(LogLevel, String, from: LogSource)
}
