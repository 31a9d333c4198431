import BinnacleBasics
import BinnacleModel

/// Opens the receiver's device, repeatedly until it works, and again after a loss.
///
///     idle --started--> opening --opened--> open
///     opening --failed--> closed --1 s, after a minute 5 s--> opening
///     open --lost--> closed
struct DeviceMachine: Equatable, Codable, Sendable {
  private(set) var state = State.idle
  /// The last reported fault; the same fault is not logged twice in a row.
  private var fault = FaultSaid.none

  enum State: Equatable, Codable, Sendable {
    case idle
    case opening(until: Instant, tries: Int)
    case closed(until: Instant, tries: Int)
    case open
  }

  private enum FaultSaid: Equatable, Codable, Sendable {
    case none
    case said(ReceiverFault)
  }

  enum Action: Equatable, Sendable {
    case none
    case open
  }

  /// The time limit of an opening.
  private static let openingMax = Interval.seconds(10)
  /// A pulled plug returns within a minute or much later.
  private static let promptTriesMax = 60
  private static let promptPause = Interval.seconds(1)
  /// The wake-up interval of a board without a receiver.
  private static let calmPause = Interval.seconds(5)

  mutating func started(at now: Instant) -> Action {
    guard case .idle = state else { return .none }
    return open(tries: 0, at: now)
  }

  mutating func opened() {
    fault = .none
    state = .open
  }

  mutating func openFailed(
    _ reason: ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    let tries: Int
    switch state {
    case .opening(_, let count), .closed(_, let count): tries = min(count + 1, 1_000)
    case .idle, .open: tries = 1
    }
    say(reason, "cannot be opened", into: &effects)
    close(tries: tries, at: now)
  }

  mutating func lost(
    _ reason: ReceiverFault, at now: Instant, into effects: inout [Effect]
  ) {
    say(reason, "was lost", into: &effects)
    close(tries: 1, at: now)
  }

  mutating func deadlineReached(at now: Instant) -> Action {
    switch state {
    case .idle, .open: return .none
    case .closed(let until, let tries), .opening(let until, let tries):
      return until <= now ? open(tries: tries, at: now) : .none
    }
  }

  var nextDeadline: Instant? {
    switch state {
    case .idle, .open: nil
    case .closed(let until, _), .opening(let until, _): until
    }
  }

  private mutating func open(tries: Int, at now: Instant) -> Action {
    state = .opening(until: now + DeviceMachine.openingMax, tries: tries)
    return .open
  }

  private mutating func close(tries: Int, at now: Instant) {
    let pause =
      tries <= DeviceMachine.promptTriesMax ? DeviceMachine.promptPause : DeviceMachine.calmPause
    state = .closed(until: now + pause, tries: tries)
  }

  private mutating func say(
    _ reason: ReceiverFault, _ what: String, into effects: inout [Effect]
  ) {
    guard fault != .said(reason) else { return }
    fault = .said(reason)
    effects.append(
      .log(.warning, "receiver: the device \(what): \(reason.text); trying again until it works"))
  }
}
