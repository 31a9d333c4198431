public import BinnacleBasics
public import BinnacleModel

/// Tests a button with a person: the trial asks for one gesture after the other, each within a time limit.
///
/// `ButtonMachine` judges presses, as in the daemon. The owner carries out the actions and reports their results:
///
///     opened, not pressed --> asks for short --seen--> long --seen--> double --seen--> tried
///     opened, pressed --let go in time--> asks for short
///     opened, pressed --time is up--> stuck
///     asks --time is up, held for long--> stuck
///     asks --time is up, never pressed so far--> silent
///     asks --time is up, pressed otherwise--> asks for the next gesture
public struct ButtonTrial: Sendable {
  public enum Action: Equatable, Sendable {
    /// Ask the person for this gesture.
    case ask(Gesture)
    /// The button reads pressed before the trial has asked: ask the person to release it.
    case askForRelease
    /// Read the level; answered by `levelRead`.
    case read
    /// The gesture that the person made.
    case saw(Sight)
    case end(Outcome)
  }

  /// The result of a press.
  public enum Sight: Equatable, Sendable {
    case gesture(Gesture)
    /// Held longer than short and less than long.
    case ignored
  }

  /// The result of the whole trial.
  public enum Outcome: Equatable, Sendable {
    /// No press was seen at all.
    case silent
    /// The line reads pressed although the button is not pressed.
    case stuck
    /// Presses were seen; these gestures were asked for and did not come.
    case tried(missed: [Gesture])
  }

  private enum Phase: Equatable, Sendable {
    case opening
    case releasing(until: Instant)
    case asking(Gesture, until: Instant)
    case ended
  }

  /// The time limit of one gesture.
  public static let timeMax = Interval.seconds(20)
  /// A button that is held for this long until the time is up is stuck.
  private static let heldMax = Interval.seconds(5)
  private static let line = LineID.button(0)

  private var button: ButtonMachine
  private var phase = Phase.opening
  private var wanted: [Gesture]
  private var missed: [Gesture] = []
  private var hasMoved = false
  private var pressedSince: Instant?

  /// - Parameters:
  ///   - button: the button; if it has no action for a double press, the trial asks for no double press.
  ///   - timing: the durations of presses.
  public init(_ button: PanelSettings.Button, _ timing: GestureTiming) {
    var settings = PanelSettings()
    settings.gestures = timing
    self.button = ButtonMachine(button, line: ButtonTrial.line, settings)
    wanted = Gesture.allCases.filter { $0 != .double || button.hasDouble }
  }

  // MARK: Inputs

  /// The line is claimed.
  public mutating func opened(isActive: Bool, isDebounced: Bool, at now: Instant) -> [Action] {
    var effects: [Effect] = []
    button.opened(isActive: isActive, isDebounced: isDebounced, into: &effects)
    guard isActive else { return goOn(at: now) }
    pressedSince = now
    phase = .releasing(until: now + ButtonTrial.timeMax)
    return [.askForRelease]
  }

  /// The level changed.
  public mutating func edge(isActive: Bool, at instant: Instant, now: Instant) -> [Action] {
    turn(at: now) { button, effects in
      button.edge(isActive: isActive, at: instant, now: now, into: &effects)
    }
  }

  /// The level that was read.
  public mutating func levelRead(isActive: Bool, at now: Instant) -> [Action] {
    turn(at: now) { button, effects in
      button.levelRead(isActive: isActive, at: now, into: &effects)
    }
  }

  /// The person skips the gesture.
  public mutating func givenUp(at now: Instant) -> [Action] {
    timeIsUp(isStuck: pressedSince != nil, at: now)
  }

  public mutating func deadlineReached(at now: Instant) -> [Action] {
    var actions: [Action] = []
    if let due = button.nextDeadline, due <= now {
      actions += turn(at: now) { button, effects in
        button.deadlineReached(at: now, into: &effects)
      }
    }
    guard let limit, limit <= now else { return actions }
    let isHeld = pressedSince.map { now - $0 >= ButtonTrial.heldMax } ?? false
    return actions + timeIsUp(isStuck: isHeld, at: now)
  }

  public var nextDeadline: Instant? {
    phase == .ended ? nil : [button.nextDeadline, limit].compactMap { $0 }.min()
  }

  // MARK: Steps

  private var limit: Instant? {
    switch phase {
    case .opening, .ended: nil
    case .releasing(let until), .asking(_, let until): until
    }
  }

  private mutating func turn(
    at now: Instant, _ body: (inout ButtonMachine, inout [Effect]) -> Void
  ) -> [Action] {
    let before = button.counts
    var effects: [Effect] = []
    body(&button, &effects)
    var actions: [Action] = effects.contains(.line(ButtonTrial.line, .read)) ? [.read] : []
    noteLevel(at: now)
    if case .releasing = phase, pressedSince == nil { actions += goOn(at: now) }
    for sight in ButtonTrial.sights(before, button.counts) {
      hasMoved = true
      actions.append(.saw(sight))
      if case .asking(let gesture, _) = phase, sight == .gesture(gesture) {
        actions += goOn(at: now)
      }
    }
    return actions
  }

  private mutating func noteLevel(at now: Instant) {
    guard button.bounces.isActive != (pressedSince != nil) else { return }
    hasMoved = true
    pressedSince = button.bounces.isActive ? now : nil
  }

  private static func sights(
    _ before: ButtonMachine.Counts, _ after: ButtonMachine.Counts
  ) -> [Sight] {
    var sights: [Sight] = []
    if after.short > before.short { sights.append(.gesture(.short)) }
    if after.long > before.long { sights.append(.gesture(.long)) }
    if after.double > before.double { sights.append(.gesture(.double)) }
    if after.ignored > before.ignored { sights.append(.ignored) }
    return sights
  }

  private mutating func timeIsUp(isStuck: Bool, at now: Instant) -> [Action] {
    switch phase {
    case .opening, .ended: return []
    case .releasing: return end(.stuck)
    case .asking(let gesture, _):
      if isStuck { return end(.stuck) }
      guard hasMoved else { return end(.silent) }
      missed.append(gesture)
      return goOn(at: now)
    }
  }

  private mutating func goOn(at now: Instant) -> [Action] {
    guard !wanted.isEmpty else { return end(.tried(missed: missed)) }
    let gesture = wanted.removeFirst()
    phase = .asking(gesture, until: now + ButtonTrial.timeMax)
    return [.ask(gesture)]
  }

  private mutating func end(_ outcome: Outcome) -> [Action] {
    phase = .ended
    return [.end(outcome)]
  }
}
