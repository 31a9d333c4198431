import BinnacleBasics

/// A receiver that sends and takes no orders.
///
///     reading --now and then--> reading, asked for its identity
///     reading --silence--> silent
struct ReadOnlySource: Equatable, Codable, Sendable {
  let reason: Reason
  private let doublings: Int
  /// When it was last asked for its identity; before that, when reading began.
  private var askedAt: Instant
  /// Until when a message may be the answer to the question.
  private var answerUntil: Instant

  /// The reason why nothing is configured.
  enum Reason: Equatable, Codable, Sendable {
    /// It does not answer: only its transmit line is wired, or it is no u-blox receiver.
    case silence
    /// It identifies itself and answers nothing else.
    case deafness(ReceiverIdentity)
  }

  enum Action: Equatable, Sendable {
    case none
    case ask
    case silent
  }

  private static let askInterval = Interval.seconds(60)
  private static let askIntervalOfHardLine = Interval.seconds(10)
  /// The number of doublings of the time between two attempts to configure a deaf receiver.
  private static let doublingsMax = 4
  private static let answerMax = Interval.seconds(3)
  private static let silenceMax = Interval.seconds(10)

  /// - Parameters:
  ///   - reason: why it is only read.
  ///   - times: how many times in a row that has happened.
  ///   - now: the time.
  init(_ reason: Reason, times: Int, at now: Instant) {
    self.reason = reason
    doublings =
      switch reason {
      case .silence: 0
      case .deafness: min(max(times - 1, 0), ReadOnlySource.doublingsMax)
      }
    askedAt = now
    answerUntil = now
  }

  /// Whether a receiver that identifies itself now was asked: a recording contains such messages unasked.
  func isAnswerAwaited(at now: Instant) -> Bool { now < answerUntil }

  mutating func deadlineReached(_ link: ReceiverLink, at now: Instant) -> Action {
    if silenceDeadline(link) <= now { return .silent }
    guard askAgain(link) <= now else { return .none }
    askedAt = now
    answerUntil = now + ReadOnlySource.answerMax + link.answerDelayMax
    return .ask
  }

  /// When it is asked for its identity again.
  ///
  /// On a damaged line most answers are lost, so the question is repeated more often. On a full line positions are as
  /// late as answers, until the receiver is ordered to send less.
  func askAgain(_ link: ReceiverLink) -> Instant {
    let base =
      link.quality.effort == .plain && link.answerDelayMax == .zero
      ? ReadOnlySource.askInterval : ReadOnlySource.askIntervalOfHardLine
    return askedAt + base * Int64(1 << doublings)
  }

  func nextDeadline(_ link: ReceiverLink) -> Instant {
    min(askAgain(link), silenceDeadline(link))
  }

  private func silenceDeadline(_ link: ReceiverLink) -> Instant {
    link.silenceDeadline(link.lastFrame + ReadOnlySource.silenceMax)
  }
}
