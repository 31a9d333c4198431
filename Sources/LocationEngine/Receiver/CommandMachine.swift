import BinnacleBasics

/// Gives one order of the configuration and verifies it.
///
/// Only one command is in flight at a time, since an acknowledgement carries no number.
///
///     ordered --ACK--> reading back --right answer--> done
///     ordered --NAK--> split (or unsupported, when nothing is left to split)
///     ordered --silence--> reading back before it is repeated --other answer--> ordered again
///     reading back --wrong answer, first time--> ordered again --> ... --> done with differences
///     reading back --answer, where question and order share a name--> closing --ACK, NAK, silence--> as above
///     reading back --silence--> asked again
///     reading back an acknowledged order --2 questions without an answer--> unproven
///     3 orders or 2 questions without an answer --> unanswered
///
/// On a line that damages messages there are more tries.
struct CommandMachine: Equatable, Codable, Sendable {
  let step: SetupStep
  private var state: State
  private var orders = 1
  private var triesFactor = 1
  private let isCheck: Bool
  private let patience: Interval
  /// Whether an acknowledgement is enough, because the receiver has answered no question so far.
  private let believesAcknowledgement: Bool

  private enum State: Equatable, Codable, Sendable {
    case ordered(until: Instant)
    case readingBack(questions: Int, until: Instant, isAcknowledged: Bool)
    /// The poll was answered. Its acknowledgement follows and must not count as the acknowledgement of the next order.
    case closing(Conclusion, until: Instant)
  }

  /// The result of an answer.
  private enum Conclusion: Equatable, Codable, Sendable {
    case done(differences: [String])
    case orderAgain
    case unanswered
  }

  enum Action: Equatable, Sendable {
    case none
    case write([UInt8])
    /// The order took effect, except for these differences.
    case done(differences: [String])
    /// The receiver refused the group: these orders are tried instead.
    case split([SetupStep])
    /// The receiver refused this single order.
    case unsupported
    /// The receiver acknowledged the order, and does not say whether it took effect.
    case unproven
    /// The receiver does not answer.
    case unanswered
  }

  static let ordersMax = 3
  static let questionsMax = 2

  /// The order of `step` has just been written.
  ///
  /// - Parameters:
  ///   - step: the order.
  ///   - patience: the time limit of an answer.
  ///   - believesAcknowledgement: whether the order is not read back.
  ///   - now: when it was written.
  init(
    _ step: SetupStep, patience: Interval, believesAcknowledgement: Bool = false, at now: Instant
  ) {
    self.step = step
    self.patience = patience
    self.believesAcknowledgement = believesAcknowledgement
    isCheck = false
    state = .ordered(until: now + patience)
  }

  /// The question of an earlier step was written: the step is ordered again only if its setting is lost.
  init(checking step: SetupStep, patience: Interval, at now: Instant) {
    self.step = step
    self.patience = patience
    believesAcknowledgement = false
    isCheck = true
    orders = 0
    state = .readingBack(questions: 1, until: now + patience, isAcknowledged: true)
  }

  /// Whether a check found another setting, so the step was ordered.
  var hasMended: Bool { isCheck && orders > 0 }

  mutating func acknowledged(_ command: SetupStep.Command, at now: Instant) -> Action {
    guard command == step.command else { return .none }
    switch state {
    case .ordered:
      if believesAcknowledgement, step.question != nil { return .unproven }
      return readBack(isAcknowledged: true, at: now)
    case .readingBack(let questions, let until, _):
      // The acknowledgement of an order that seemed lost.
      state = .readingBack(questions: questions, until: until, isAcknowledged: true)
      return .none
    case .closing(let conclusion, _): return conclude(conclusion, at: now)
    }
  }

  mutating func refused(_ command: SetupStep.Command, at now: Instant) -> Action {
    switch state {
    case .ordered:
      guard command == step.command else { return .none }
      let halves = step.halves
      return halves.isEmpty ? .unsupported : .split(halves)
    case .readingBack(_, _, let isAcknowledged):
      guard command == step.questionCommand else { return .none }
      // The receiver does not answer the question; an acknowledged order is believed.
      if isAcknowledged { return .done(differences: ["\(step.name) cannot be read back"]) }
      let halves = step.halves
      return halves.isEmpty ? .unsupported : .split(halves)
    case .closing(let conclusion, _):
      return command == step.command ? conclude(conclusion, at: now) : .none
    }
  }

  mutating func answered(_ answer: SetupAnswer, at now: Instant) -> Action {
    guard let differences = step.differences(in: answer) else { return .none }
    switch state {
    case .ordered, .closing: return .none
    case .readingBack(_, _, let isAcknowledged):
      let conclusion = conclusion(from: differences, isAcknowledged: isAcknowledged)
      guard step.questionCommand == step.command else { return conclude(conclusion, at: now) }
      state = .closing(conclusion, until: now + patience)
      return .none
    }
  }

  private func conclusion(from differences: [String], isAcknowledged: Bool) -> Conclusion {
    if differences.isEmpty { return .done(differences: []) }
    guard orders < (isAcknowledged ? 2 : CommandMachine.ordersMax * triesFactor) else {
      return isAcknowledged ? .done(differences: differences) : .unanswered
    }
    return .orderAgain
  }

  private mutating func conclude(_ conclusion: Conclusion, at now: Instant) -> Action {
    switch conclusion {
    case .done(let differences): return .done(differences: differences)
    case .unanswered: return .unanswered
    case .orderAgain:
      orders += 1
      state = .ordered(until: now + patience)
      return .write(step.order)
    }
  }

  /// - Parameters:
  ///   - effort: the multiple of tries on a damaged line.
  ///   - now: the time.
  /// - Returns: the next order.
  mutating func deadlineReached(
    _ effort: LineQuality.Effort = .plain, at now: Instant
  ) -> Action {
    guard nextDeadline <= now else { return .none }
    triesFactor = effort.tries
    switch state {
    case .ordered: return readBack(isAcknowledged: false, at: now)
    case .readingBack(let questions, _, let isAcknowledged):
      guard questions < CommandMachine.questionsMax * triesFactor, let question = step.question
      else { return isAcknowledged && !isCheck ? .unproven : .unanswered }
      state = .readingBack(
        questions: questions + 1, until: now + patience, isAcknowledged: isAcknowledged)
      return .write(question)
    case .closing(let conclusion, _): return conclude(conclusion, at: now)
    }
  }

  var nextDeadline: Instant {
    switch state {
    case .ordered(let until), .readingBack(_, let until, _), .closing(_, let until): until
    }
  }

  private mutating func readBack(isAcknowledged: Bool, at now: Instant) -> Action {
    guard let question = step.question else {
      if isAcknowledged { return .done(differences: []) }
      guard orders < CommandMachine.ordersMax * triesFactor else { return .unanswered }
      orders += 1
      state = .ordered(until: now + patience)
      return .write(step.order)
    }
    state = .readingBack(questions: 1, until: now + patience, isAcknowledged: isAcknowledged)
    return .write(question)
  }
}
