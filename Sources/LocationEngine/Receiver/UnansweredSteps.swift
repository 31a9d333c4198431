import BinnacleBasics

/// Orders without an answer, which a damaged line may have lost; they are given again later.
///
/// The pause doubles from 10 s to 10 min, so that an order that the firmware ignores costs little. Orders whose setting
/// reads back differently are also given again, three times at most: firmware that overrides a setting always does so.
struct UnansweredSteps: Equatable, Codable, Sendable {
  private static let firstPause = Interval.seconds(10)
  private static let pauseMax = Interval.seconds(600)

  private var steps: [SetupStep] = []
  private var dueAt: Instant?
  private var pause = UnansweredSteps.firstPause
  private var roundStepCount = 0
  private var roundCount = 0

  private static let differingRoundsMax = 3

  /// Whether these orders are being given again: a missing answer is then not logged again.
  private(set) var isUnderWay = false

  /// When `deadlineReached` is due while nothing else is ordered; nil if everything was answered.
  var nextDeadline: Instant? { dueAt }

  /// Whether the end of all orders is logged: after a repetition, only if an order was answered.
  var isNews: Bool { !isUnderWay || steps.count < roundStepCount }

  mutating func unanswered(_ step: SetupStep) {
    guard !steps.contains(step), steps.count < ReceiverLimits.listMax else { return }
    steps.append(step)
  }

  /// An acknowledged order did not take effect: a damaged acknowledgement may belong to another order.
  mutating func readBackOtherwise(_ step: SetupStep) {
    if roundCount < UnansweredSteps.differingRoundsMax { unanswered(step) }
  }

  /// All other orders have been given.
  mutating func everythingElseDone(at now: Instant) {
    isUnderWay = false
    dueAt = steps.isEmpty ? nil : now + pause
  }

  /// The steps to order again now; nil if the pause has not ended.
  mutating func deadlineReached(at now: Instant) -> [SetupStep]? {
    guard let dueAt, dueAt <= now else { return nil }
    defer { steps = [] }
    self.dueAt = nil
    pause = min(pause * 2, UnansweredSteps.pauseMax)
    isUnderWay = true
    roundCount = min(roundCount + 1, 1_000)
    roundStepCount = steps.count
    return steps
  }
}
