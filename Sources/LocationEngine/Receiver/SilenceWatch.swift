import BinnacleBasics

/// Detects that a receiver has become silent.
///
///     listening --no frame for a while--> asking, first time --silence--> asking, second time --silence--> lost
///     asking --any frame--> listening
struct SilenceWatch: Equatable, Codable, Sendable {
  private var state: State

  private enum State: Equatable, Codable, Sendable {
    case listening
    case asking(times: Int, until: Instant)
  }

  enum Action: Equatable, Sendable {
    case none
    case ask
    case lost
  }

  private static let patience = Interval.milliseconds(1_200)

  init() {
    state = .listening
  }

  mutating func frameArrived() {
    state = .listening
  }

  /// - Parameters:
  ///   - lastFrame: when the last whole frame came.
  ///   - rateHz: the navigation rate.
  ///   - questionsMax: how many times the receiver is polled before it counts as lost.
  ///   - now: the time.
  /// - Returns: the next order.
  mutating func deadlineReached(
    lastFrame: Instant, rateHz: Int, questionsMax: Int, at now: Instant
  ) -> Action {
    guard nextDeadline(lastFrame: lastFrame, rateHz: rateHz) <= now else { return .none }
    switch state {
    case .listening:
      state = .asking(times: 1, until: now + SilenceWatch.patience)
      return .ask
    case .asking(let times, _):
      guard times < questionsMax else { return .lost }
      state = .asking(times: times + 1, until: now + SilenceWatch.patience)
      return .ask
    }
  }

  func nextDeadline(lastFrame: Instant, rateHz: Int) -> Instant {
    switch state {
    case .listening: lastFrame + SilenceWatch.silenceMax(rateHz: rateHz)
    case .asking(_, let until): until
    }
  }

  /// Three epochs, at least two seconds.
  static func silenceMax(rateHz: Int) -> Interval {
    max(.seconds(2), .milliseconds(Int64(3_000 / max(1, rateHz))))
  }

  var isAsking: Bool { state != .listening }
}
