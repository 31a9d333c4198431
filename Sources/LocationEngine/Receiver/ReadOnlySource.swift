import Basics

/// A receiver that sends and does not answer: its transmit line alone is wired, or it is not a u-blox.
///
///     reading --now and then--> reading, asked who it is
///     reading --silence--> silent
struct ReadOnlySource: Equatable, Codable, Sendable {
  private var askAgain: Instant
  /// Until when what comes may be the answer to our question.
  private var answerUntil: Instant

  enum Action: Equatable, Sendable {
    case none
    case ask
    case silent
  }

  private static let askInterval = Interval.seconds(60)
  private static let answerMax = Interval.seconds(3)
  private static let silenceMax = Interval.seconds(10)

  init(at now: Instant) {
    askAgain = now + ReadOnlySource.askInterval
    answerUntil = now
  }

  /// Whether a receiver that says who it is now was asked: a recording says it unasked.
  func isAnswerAwaited(at now: Instant) -> Bool { now < answerUntil }

  mutating func deadlineReached(lastFrame: Instant, at now: Instant) -> Action {
    if lastFrame + ReadOnlySource.silenceMax <= now { return .silent }
    guard askAgain <= now else { return .none }
    askAgain = now + ReadOnlySource.askInterval
    answerUntil = now + ReadOnlySource.answerMax
    return .ask
  }

  func nextDeadline(lastFrame: Instant) -> Instant {
    min(askAgain, lastFrame + ReadOnlySource.silenceMax)
  }
}
