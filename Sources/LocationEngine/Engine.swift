public import Basics

/// All judgement of the daemon: events in, effects out, time as an argument.
///
/// It reads no clock, does no input or output, starts no thread and throws nothing. Equal events at equal
/// instants give equal effects on every machine.
public struct Engine: Equatable, Codable, Sendable {
  public let configuration: Configuration

  public init(configuration: Configuration, seed: UInt64) {
    self.configuration = configuration
  }

  /// Takes one event and appends what is to be done about it.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - now: when it was seen; never before the instant of an earlier call.
  ///   - effects: orders are appended in the order in which they are to be carried out.
  public mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
  }

  /// When `deadlineReached` is due; nil when nothing is waited for.
  public var nextDeadline: Instant? { nil }

  /// Until when reading the receiver would only wake the board: a frame is still on the line, or an epoch has
  /// just been delivered. nil: read as soon as there are bytes.
  public var receiverQuietUntil: Instant? { nil }
}
