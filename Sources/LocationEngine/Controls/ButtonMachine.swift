import BinnacleBasics
import BinnacleModel

/// One button: its line, its bounces, its gestures.
///
/// Before a deadline has an effect, the level is read again: the kernel drops edges that are not read in time.
struct ButtonMachine: Equatable, Codable, Sendable {
  let line: LineID
  let name: String
  let actions: ButtonActions
  /// The gesture that shows the presence of a person.
  let presence: Gesture?
  private(set) var link: LineLink
  private(set) var isDebouncedByChip = false
  private(set) var gestures: GestureMachine
  private(set) var bounces: BounceMachine
  private(set) var last: Last?
  private(set) var counts = Counts()
  /// Gestures that the caller has not taken yet, the oldest first.
  private var untold: [Press] = []
  /// Whether the level was requested and the answer is pending.
  private var isLooking = false
  private var newest = Instant.zero

  /// A gesture, and when its press began.
  struct Press: Equatable, Codable, Sendable {
    var gesture: Gesture
    var beganAt: Instant
  }

  struct Last: Equatable, Codable, Sendable {
    var gesture: Gesture
    var instant: Instant
  }

  struct Counts: Equatable, Codable, Sendable {
    var short = 0
    var long = 0
    var double = 0
    /// Presses that were neither short nor long.
    var ignored = 0
  }

  private static let untoldMax = 8

  init(_ button: PanelSettings.Button, line: LineID, _ settings: PanelSettings) {
    self.line = line
    name = button.name
    actions = button.actions
    presence = button.presence
    link = LineLink(settings)
    gestures = GestureMachine(settings.gestures, hasDouble: button.hasDouble)
    bounces = BounceMachine(lasting: button.debounce)
  }

  /// The gestures since the last call.
  mutating func takePresses() -> [Press] {
    defer { untold.removeAll() }
    return untold
  }

  // MARK: Inputs

  mutating func started(into effects: inout [Effect]) {
    link.open(line, into: &effects)
  }

  mutating func opened(isActive: Bool, isDebounced: Bool, into effects: inout [Effect]) {
    let fault = link.opened()
    isLooking = false
    isDebouncedByChip = isDebounced
    bounces.began(isActive: isActive)
    gestures.began(isPressed: isActive)
    if fault != nil { say("the line can be used now", .notice, into: &effects) }
    if isActive {
      say("already pressed; presses count only after it is released", .notice, into: &effects)
    }
  }

  mutating func lost(_ fault: LineFault, at now: Instant, into effects: inout [Effect]) {
    isLooking = false
    bounces.began(isActive: false)
    gestures.began(isPressed: true)
    if link.lost(fault, at: now) {
      say("not watched (\(fault.text)); the daemon tries again", .warning, into: &effects)
    }
  }

  mutating func edge(
    isActive: Bool, at instant: Instant, now: Instant, into effects: inout [Effect]
  ) {
    guard link.isOpen else { return }
    // The kernel's time stamps must neither run backwards nor ahead of the daemon's clock.
    newest = max(newest, min(instant, now))
    take(bounces.edge(isActive: isActive, at: newest), at: now, into: &effects)
  }

  /// The requested level was read.
  mutating func levelRead(isActive: Bool, at now: Instant, into effects: inout [Effect]) {
    guard link.isOpen, isLooking else { return }
    isLooking = false
    newest = max(newest, now)
    if bounces.nextDeadline == nil, isActive != bounces.isActive {
      deliver(gestures.edgeMissed(isPressed: isActive, at: now), at: now, into: &effects)
    }
    take(bounces.levelRead(isActive: isActive, at: now), at: now, into: &effects)
    guard bounces.nextDeadline == nil, let due = gestures.nextDeadline, due <= now else { return }
    deliver(gestures.timeElapsed(at: now), at: now, into: &effects)
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    link.retry(line, at: now, into: &effects)
    guard let due = lookDueAt, due <= now else { return }
    isLooking = true
    effects.append(.line(line, .read))
  }

  var nextDeadline: Instant? { link.isOpen ? lookDueAt : link.nextDeadline }

  /// When the level must be read; while a new level is pending, no press is long and no press ends.
  private var lookDueAt: Instant? {
    guard link.isOpen, !isLooking else { return nil }
    return bounces.nextDeadline ?? gestures.nextDeadline
  }

  // MARK: Outcomes

  private mutating func take(
    _ changes: [BounceMachine.Change], at now: Instant, into effects: inout [Effect]
  ) {
    for change in changes {
      let outcomes =
        change.isActive
        ? gestures.pressed(at: change.instant) : gestures.released(at: change.instant)
      deliver(outcomes, at: now, into: &effects)
    }
  }

  private mutating func deliver(
    _ outcomes: [GestureMachine.Outcome], at now: Instant, into effects: inout [Effect]
  ) {
    for outcome in outcomes {
      switch outcome {
      case .gesture(let gesture, let beganAt):
        count(gesture)
        last = Last(gesture: gesture, instant: now)
        if untold.count < ButtonMachine.untoldMax {
          untold.append(Press(gesture: gesture, beganAt: beganAt))
        }
        say("\(gesture) press", .info, into: &effects)
      case .ignored(let held):
        counts.ignored += 1
        let milliseconds = held.nanoseconds / 1_000_000
        say("held for \(milliseconds) ms, neither short nor long: ignored", .info, into: &effects)
      }
    }
  }

  private mutating func count(_ gesture: Gesture) {
    switch gesture {
    case .short: counts.short += 1
    case .long: counts.long += 1
    case .double: counts.double += 1
    }
  }

  private func say(_ text: String, _ level: LogLevel, into effects: inout [Effect]) {
    effects.append(.log(level, "button \(name): \(text)"))
  }
}
