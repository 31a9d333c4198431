import BinnacleBasics

/// A receiver that only sends: the engine reads it and does not configure it.
///
///     reading --at intervals--> reading, polled for its identity
///     reading --silence--> silent
struct ReadOnlySource: Equatable, Codable, Sendable {
  let reason: Reason
  private let doublings: Int
  /// When the receiver was last polled for its identity; before the first poll, when reading began.
  private var askedAt: Instant
  /// Until when a message may be the answer to the poll.
  private var answerUntil: Instant
  /// The polls in a row on a full line, none of which was answered.
  private var fullLinePolls = 0

  /// The reason why nothing is configured.
  enum Reason: Equatable, Codable, Sendable {
    /// The receiver does not answer: only its transmit line is wired, or it is no u-blox receiver.
    case silence
    /// The receiver identifies itself and answers nothing else.
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
  /// The number of unanswered polls on a full line from which the receiver is ordered to send less.
  private static let fullLinePollsMin = 2

  /// Whether the receiver is ordered to send less with the next poll: the full buffer may have no room for any answer.
  var hasNoRoomForAnswers: Bool { fullLinePolls >= ReadOnlySource.fullLinePollsMin }

  /// - Parameters:
  ///   - reason: why the receiver is only read.
  ///   - times: how many times in a row the receiver was given up for this reason.
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

  /// Whether an identity that arrives now may answer a poll; recordings contain identities that nothing polled.
  func isAnswerAwaited(at now: Instant) -> Bool { now < answerUntil }

  mutating func deadlineReached(_ link: ReceiverLink, at now: Instant) -> Action {
    if silenceDeadline(link) <= now { return .silent }
    guard askAgain(link) <= now else { return .none }
    askedAt = now
    answerUntil = now + ReadOnlySource.answerMax + link.answerDelayMax
    fullLinePolls = link.answerDelayMax == .zero ? 0 : fullLinePolls + 1
    return .ask
  }

  /// When the receiver is polled for its identity again.
  ///
  /// On a damaged line most answers are lost, so the poll is repeated more often. On a full line positions are as late
  /// as answers, until the receiver is ordered to send less.
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
