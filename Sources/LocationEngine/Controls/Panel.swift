import BinnacleBasics
import BinnacleModel

/// The buttons and lights of the board.
///
///     lines --> ButtonMachine (bounces, gestures)
///     receiver's condition --> StatusLight --> LampMachine --> line
///     LampMachine of the indicator, SenseMachine --> condition: a light that differs from its order is a fault
struct Panel: Equatable, Codable, Sendable {
  private(set) var buttons: [ButtonMachine]
  private(set) var indicator: LampMachine?
  private(set) var sense: SenseMachine?
  private(set) var statusLamp: LampMachine?
  private(set) var statusLight: StatusLight
  private(set) var promptBlink = PromptBlink()
  private(set) var indicatorLight = IndicatorLight()
  private var isStopping = false
  private var passing = PassedByAddress()

  init(_ settings: PanelSettings) {
    precondition(settings.buttons.count <= LineID.buttonsMax, "a profile has fewer buttons")
    buttons = settings.buttons.enumerated().map { index, button in
      ButtonMachine(button, line: .button(UInt8(index)), settings)
    }
    if settings.hasIndicator {
      indicator = LampMachine(
        line: .indicator, name: "indicator", isLasting: settings.isIndicatorLasting, settings)
      if settings.hasIndicatorSense { sense = SenseMachine(settings) }
    }
    if settings.hasStatusLight {
      statusLamp = LampMachine(line: .statusLight, name: "status light", settings)
    }
    statusLight = StatusLight(settings.blinking)
  }

  /// Whether the status light shows that there is a fix.
  var showsFix: Bool { hasStatusLamp && statusLight.pattern == .solid }

  /// Whether there is a status light; `statusLamp != nil` would copy and compare the whole lamp.
  private var hasStatusLamp: Bool {
    if case .some = statusLamp { true } else { false }
  }

  private var hasIndicator: Bool {
    if case .some = indicator { true } else { false }
  }

  /// Whether the indicator is faulty.
  var isIndicatorFaulty: Bool {
    indicator?.isFaulty == true || sense?.isWrong == true || sense?.isUnsettled == true
  }

  // MARK: Inputs

  /// Claims the lines; the indicator's first, so that it is dark as early as possible.
  mutating func started(into effects: inout [Effect]) {
    indicator?.started(into: &effects)
    sense?.started(into: &effects)
    statusLamp?.started(into: &effects)
    for index in buttons.indices { buttons[index].started(into: &effects) }
  }

  /// Passes an event of a line to its light or button.
  mutating func take(
    _ event: Event.Line, of line: LineID, at now: Instant, into effects: inout [Effect]
  ) {
    switch event {
    case .opened(let isActive, let isDebounced):
      opened(line, isActive: isActive, isDebounced: isDebounced, at: now, into: &effects)
    case .edge(let isActive, let instant):
      edge(line, isActive: isActive, at: instant, now: now, into: &effects)
    case .read(let isActive): levelRead(line, isActive: isActive, at: now, into: &effects)
    case .lost(let fault): lost(line, fault, at: now, into: &effects)
    }
  }

  private mutating func opened(
    _ line: LineID, isActive: Bool, isDebounced: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    switch line {
    case .indicator:
      indicator?.opened(isActive: isActive, at: now, into: &effects)
      sense?.ordered(at: now)
    case .indicatorSense: sense?.opened(at: now, into: &effects)
    case .statusLight: statusLamp?.opened(isActive: isActive, at: now, into: &effects)
    case .receiverWake: return
    case .button(let number):
      guard let index = index(number) else { return }
      buttons[index].opened(isActive: isActive, isDebounced: isDebounced, into: &effects)
    }
  }

  private mutating func lost(
    _ line: LineID, _ fault: LineFault, at now: Instant, into effects: inout [Effect]
  ) {
    switch line {
    case .indicator: indicator?.lost(fault, at: now, into: &effects)
    case .indicatorSense: sense?.lost(fault, at: now, into: &effects)
    case .statusLight: statusLamp?.lost(fault, at: now, into: &effects)
    case .receiverWake: return
    case .button(let number):
      guard let index = index(number) else { return }
      buttons[index].lost(fault, at: now, into: &effects)
    }
  }

  private mutating func edge(
    _ line: LineID, isActive: Bool, at instant: Instant, now: Instant, into effects: inout [Effect]
  ) {
    switch line {
    case .indicator, .statusLight, .receiverWake: return
    case .indicatorSense: sense?.changed(at: now)
    case .button(let number):
      guard let index = index(number) else { return }
      buttons[index].edge(isActive: isActive, at: instant, now: now, into: &effects)
    }
  }

  private mutating func levelRead(
    _ line: LineID, isActive: Bool, at now: Instant, into effects: inout [Effect]
  ) {
    switch line {
    case .indicator:
      indicator?.levelRead(isActive: isActive, at: now, into: &effects)
      sense?.changed(at: now)
    case .indicatorSense:
      guard let indicator else { return }
      sense?.levelRead(isActive: isActive, lamp: indicator, at: now, into: &effects)
    case .statusLight: statusLamp?.levelRead(isActive: isActive, at: now, into: &effects)
    case .receiverWake: return
    case .button(let number):
      guard let index = index(number) else { return }
      buttons[index].levelRead(isActive: isActive, at: now, into: &effects)
    }
  }

  /// Shows a pattern; a faulty indicator takes precedence over the receiver.
  mutating func show(
    _ pattern: StatusLight.Pattern, at now: Instant, into effects: inout [Effect]
  ) {
    guard hasStatusLamp else { return }
    statusLight.show(isIndicatorFaulty ? .fastBlink : pattern, at: now)
    light(at: now, into: &effects)
  }

  /// Lights the indicator while an app in the background may receive locations.
  mutating func showUse(_ isDue: Bool, at now: Instant, into effects: inout [Effect]) {
    guard isDue || indicatorLight.state != .dark else { return }
    if indicatorLight.due(isDue, at: now) {
      indicator?.becameDue()
      indicator?.want(true, at: now, into: &effects)
      indicator?.verify(into: &effects)
      sense?.ordered(at: now)
    }
    light(at: now, into: &effects)
    indicatorLight.seen(sight)
  }

  private mutating func verifyIndicator(at now: Instant, into effects: inout [Effect]) {
    indicator?.verify(into: &effects)
    sense?.changed(at: now)
  }

  /// The present observation of the indicator and its sense.
  ///
  /// A lamp that was seen lit counts as lit until its sense is read again, or counts as unsettled.
  private var sight: IndicatorLight.Sight {
    guard let indicator else {
      return .faulty("the board has no indicator ([Indicator] of the board's profile)")
    }
    if let fault = indicator.link.fault { return .faulty("the indicator: \(fault.text)") }
    if indicator.isSeenWrong {
      return .faulty("the indicator is ordered to be lit, and its line reads back dark")
    }
    guard indicator.isSeenLit else { return .pending }
    guard let sense else { return .lit }
    if let fault = sense.link.fault { return .faulty("the indicator's sense: \(fault.text)") }
    if sense.isUnsettled {
      return .faulty("the indicator's sense does not settle, so it shows no level of the lamp")
    }
    // The reading before the order says nothing about the lamp after it.
    if sense.isLookPending, indicatorLight.state == .asserting { return .pending }
    if sense.isWrong {
      return .faulty(
        "the indicator's sense sees a dark lamp, although the lamp is ordered to be lit")
    }
    return sense.isSeenLit || indicatorLight.state == .lit ? .lit : .pending
  }

  /// Starts or ends the flashes for the request of an app.
  ///
  /// The indicator flashes; the status light flashes on a board without an indicator, with a faulty one, or while the
  /// indicator shows the use of locations.
  mutating func showPrompt(_ isShown: Bool, at now: Instant, into effects: inout [Effect]) {
    let isFlashing = isShown && !isStopping && (hasIndicator || hasStatusLamp)
    guard isFlashing || promptBlink.nextDeadline != nil else { return }
    promptBlink.show(isFlashing, at: now)
    light(at: now, into: &effects)
  }

  /// The daemon stops: a flash must not stay lit on a lamp that keeps its state.
  mutating func stopRequested(at now: Instant, into effects: inout [Effect]) {
    isStopping = true
    showPrompt(false, at: now, into: &effects)
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    if indicatorLight.deadlineReached(at: now) { verifyIndicator(at: now, into: &effects) }
    promptBlink.deadlineReached(at: now)
    indicator?.deadlineReached(at: now, into: &effects)
    sense?.deadlineReached(at: now, into: &effects)
    statusLamp?.deadlineReached(at: now, into: &effects)
    for index in buttons.indices { buttons[index].deadlineReached(at: now, into: &effects) }
    statusLight.deadlineReached(at: now)
    light(at: now, into: &effects)
  }

  var nextDeadline: Instant? {
    // A light whose line is not claimed does not blink.
    var earliest = statusLamp?.link.isOpen == true ? statusLight.nextDeadline : nil
    for button in buttons { earliest = earlier(earliest, button.nextDeadline) }
    earliest = earlier(earliest, earlier(indicator?.nextDeadline, sense?.nextDeadline))
    earliest = earlier(
      earliest, earlier(promptBlink.nextDeadline, indicatorLight.nextVerification))
    return earlier(earliest, statusLamp?.nextDeadline)
  }

  /// A gesture on a button.
  struct Press: Equatable, Sendable {
    var button: String
    var gesture: Gesture
    /// The action that the profile gives to the gesture.
    var action: ButtonAction
    /// Whether the gesture shows that a person is at the board.
    var showsPresence: Bool
    /// When the press began.
    var beganAt: Instant
  }

  /// The gestures since the last call, button by button.
  mutating func takePresses() -> [Press] {
    var presses: [Press] = []
    for index in buttons.indices {
      let name = buttons[index].name
      let actions = buttons[index].actions
      let presence = buttons[index].presence
      presses += buttons[index].takePresses().map {
        Press(
          button: name, gesture: $0.gesture, action: actions[$0.gesture],
          showsPresence: $0.gesture == presence, beganAt: $0.beganAt)
      }
    }
    return presses
  }

  // MARK: Orders

  private mutating func light(at now: Instant, into effects: inout [Effect]) {
    let isUseShown = indicatorLight.state != .dark
    let isOnStatusLight =
      promptBlink.nextDeadline != nil && (!hasIndicator || isIndicatorFaulty || isUseShown)
    let isIndicatorWanted = promptBlink.isLit || isUseShown
    if let lamp = indicator, lamp.isWanted != isIndicatorWanted {
      indicator?.want(isIndicatorWanted, at: now, into: &effects)
      sense?.ordered(at: now)
    }
    let isLit = isOnStatusLight ? promptBlink.isLit : statusLight.isLit
    if let lamp = statusLamp, lamp.isWanted != isLit {
      statusLamp?.want(isLit, at: now, into: &effects)
    }
  }

  private func index(_ number: UInt8) -> Int? {
    buttons.indices.contains(Int(number)) ? Int(number) : nil
  }
}
