import BinnacleBasics

/// Orders that stayed without an answer, which a damaged line may have swallowed; given again after a while.
///
/// The pause doubles from 10 s to 10 min, so that what a firmware ignores costs next to nothing. So are orders that read back
/// otherwise, three times at most: a firmware that does something else by itself does so for ever.
struct UnansweredSteps: Equatable, Codable, Sendable {
  private static let firstPause = Interval.seconds(10)
  private static let pauseMax = Interval.seconds(600)

  private var steps: [SetupStep] = []
  private var dueAt: Instant?
  private var pause = UnansweredSteps.firstPause
  private var roundStepCount = 0
  private var roundCount = 0

  private static let differingRoundsMax = 3

  /// Whether they are being given again: silence is then nothing new.
  private(set) var isUnderWay = false

  /// When `deadlineReached` is due while nothing else is ordered; nil when everything was answered.
  var nextDeadline: Instant? { dueAt }

  /// Whether the end of all orders is worth a word: when they were given again, only if one was answered.
  var isNews: Bool { !isUnderWay || steps.count < roundStepCount }

  mutating func unanswered(_ step: SetupStep) {
    guard !steps.contains(step), steps.count < ReceiverLimits.listMax else { return }
    steps.append(step)
  }

  /// An acknowledged order did not take effect: a damaged acknowledgement may have been of another order.
  mutating func readBackOtherwise(_ step: SetupStep) {
    if roundCount < UnansweredSteps.differingRoundsMax { unanswered(step) }
  }

  /// All that was to be ordered has been.
  mutating func everythingElseDone(at now: Instant) {
    isUnderWay = false
    dueAt = steps.isEmpty ? nil : now + pause
  }

  /// The steps that are ordered again now; nil when it is not time.
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
