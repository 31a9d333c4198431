import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Board
import Devices
import Diagnosis
import LocationEngine
import VirtualWire

/// Tests the lights and buttons of a board interactively with the operator.
///
/// One line is claimed at a time. In all cases a lit lamp is switched off before its line is released.
struct PanelCheck {
  /// nil: the profile names no line, at most an LED of the kernel.
  private let source: Profile.LineSource?
  private var desk: PanelDesk

  /// Tests all lights and buttons of the profile; returns false if the operator ended the test.
  ///
  /// The examination gets the results.
  static func hold(with examination: inout Examination) throws(Errno) -> Bool {
    guard let profile = examination.profile,
      !examination.lamps.isEmpty || !profile.buttons.isEmpty
    else {
      examination.panelMissing()
      return true
    }
    var talk = PanelCheck(source: examination.lineSource, desk: try PanelDesk())
    return try talk.run(profile, &examination)
  }

  private mutating func run(
    _ profile: Profile, _ examination: inout Examination
  ) throws(Errno) -> Bool {
    for lamp in examination.lamps {
      if examination.isInUse(lamp) {
        examination.lampLeftAlone(lamp)
        continue
      }
      let verdict = try attempt(&examination) { (talk, examination) throws(PanelDesk.Stop) in
        examination.lampTried(lamp, try talk.tryLamp(lamp))
      }
      if verdict != .goOn { return verdict == .giveUp }
    }
    for button in profile.buttons {
      let verdict = try attempt(&examination) { (talk, examination) throws(PanelDesk.Stop) in
        examination.buttonTried(button, try talk.tryButton(button, profile.buttonTiming))
      }
      if verdict != .goOn { return verdict == .giveUp }
    }
    return true
  }

  private enum Verdict {
    case goOn
    /// The next line would fail for the same reason.
    case giveUp
    case ended
  }

  private mutating func attempt(
    _ examination: inout Examination,
    _ body: (inout PanelCheck, inout Examination) throws(PanelDesk.Stop) -> Void
  ) throws(Errno) -> Verdict {
    do throws(PanelDesk.Stop) {
      try body(&self, &examination)
      return .goOn
    } catch {
      switch error {
      case .ended: return .ended
      case .failed(let errno): throw errno
      case .lost(let line, let key, let reason):
        let goesOn = examination.lineFailed(
          line, key: key, PanelCheck.trouble(reason), reason.description)
        return goesOn ? .goOn : .giveUp
      }
    }
  }

  private static func trouble(_ error: LineFault) -> Examination.LineTrouble {
    switch error.kind {
    case .chipMissing: .chipMissing
    case .lineMissing: .lineMissing
    case .busy: .held
    case .notPermitted: .notPermitted
    case .gone, .failed: .failed
    }
  }

  private func request(
    _ line: String, use: LineClaim.Use, isActiveLow: Bool
  ) -> LineRequest {
    var claim = LineClaim(line: line, consumer: "binnacle doctor", use: use)
    claim.isActiveLow = isActiveLow
    // The parser of profiles has checked that a profile with lines names their chip.
    return LineRequest(source: source ?? .chip(label: ""), claim: claim)
  }

  // MARK: A light

  private mutating func tryLamp(
    _ lamp: Examination.Lamp
  ) throws(PanelDesk.Stop) -> Examination.LampAnswer {
    let request =
      lamp.isLED
      ? LineRequest(led: lamp.line, consumer: "binnacle doctor")
      : request(lamp.line, use: .output(isActive: false), isActiveLow: lamp.isActiveLow)
    let line = TriedLine(request, key: lamp.key)
    do throws(PanelDesk.Stop) {
      return try lightAndAsk(lamp, line)
    } catch {
      desk.putOut(line)
      throw error
    }
  }

  private mutating func lightAndAsk(
    _ lamp: Examination.Lamp, _ line: TriedLine
  ) throws(PanelDesk.Stop) -> Examination.LampAnswer {
    var answer = Examination.LampAnswer()
    let wasLit = try desk.level(of: line)
    var sense: TriedLine?
    if let name = lamp.sense {
      let opened = TriedLine(
        request(name, use: .input, isActiveLow: lamp.isActiveLow), key: "[\(lamp.section)] Sense=")
      _ = try desk.level(of: opened)
      sense = opened
    }
    answer.readsLit = try drive(true, lamp, line, sense, &answer)
    answer.isSeenLit = try desk.ask("Is the \(lamp.name) (\(lamp.line)) lit?", line)
    answer.readsDark = try drive(false, lamp, line, sense, &answer) && !wasLit
    answer.isSeenDark = try desk.ask("Is it dark now?", line)
    return answer
  }

  /// Drives the line; returns whether the line reads back the same level.
  private mutating func drive(
    _ isLit: Bool, _ lamp: Examination.Lamp, _ line: TriedLine, _ sense: TriedLine?,
    _ answer: inout Examination.LampAnswer
  ) throws(PanelDesk.Stop) -> Bool {
    line.set(isLit)
    let isRight = try desk.level(of: line) == isLit
    guard let sense else { return isRight }
    try desk.pause(lamp.settling)
    sense.read()
    if try desk.level(of: sense) != isLit { answer.isSensed = false }
    return isRight
  }

  // MARK: A button

  private mutating func tryButton(
    _ button: Profile.Button, _ timing: Profile.ButtonTiming
  ) throws(PanelDesk.Stop) -> Examination.ButtonAnswer {
    var request = request(button.line, use: .edges, isActiveLow: button.isActiveLow)
    request.claim.bias = LineClaim.Bias(button.bias)
    request.claim.debounceMicroseconds = UInt32(clamping: button.debounce.nanoseconds / 1_000)
    let line = TriedLine(request, key: "[Button \(button.name)] Line=")
    var trial = PanelCheck.trial(of: button, timing)
    desk.forgetTyped()
    while true {
      let news = try desk.next(line, isTyping: true, until: trial.nextDeadline)
      let now = Clock.now
      let actions =
        switch news {
        case .fact(.opened(let isActive, let isDebounced)):
          trial.opened(isActive: isActive, isDebounced: isDebounced, at: now)
        case .fact(.edge(let isActive, let instant)):
          trial.edge(isActive: isActive, at: instant, now: now)
        case .fact(.level(let isActive)): trial.levelRead(isActive: isActive, at: now)
        case .fact(.lost): [ButtonTrial.Action]()
        case .typed: trial.givenUp(at: now)
        case .deadline: trial.deadlineReached(at: now)
        }
      if let outcome = carryOut(actions, button, timing, line) { return outcome }
    }
  }

  private static func trial(
    of button: Profile.Button, _ timing: Profile.ButtonTiming
  ) -> ButtonTrial {
    var settings = PanelSettings.Button(name: button.name)
    settings.debounce = button.debounce
    settings.actions = button.actions
    var gestures = GestureTiming()
    gestures.longPress = timing.longPress
    gestures.shortMax = timing.shortMax
    gestures.doubleWindow = timing.doubleWindow
    return ButtonTrial(settings, gestures)
  }

  private func carryOut(
    _ actions: [ButtonTrial.Action], _ button: Profile.Button, _ timing: Profile.ButtonTiming,
    _ line: TriedLine
  ) -> Examination.ButtonAnswer? {
    let name = "\(button.name) (\(button.line))"
    let limit = "within \(ButtonTrial.timeMax.inWords); press Enter if nothing happens"
    for action in actions {
      switch action {
      case .ask(.short):
        desk.say("Press \(name) for less than \(timing.shortMax.inWords), \(limit).")
      case .ask(.long):
        desk.say("Hold \(name) for more than \(timing.longPress.inWords), \(limit).")
      case .ask(.double):
        desk.say("Press \(name) twice within \(timing.doubleWindow.inWords), \(limit).")
      case .askForRelease: desk.say("\(name) reads pressed. Let it go, \(limit).")
      case .read: line.read()
      case .saw(.gesture(let gesture)): desk.say("  seen: a \(gesture) press")
      case .saw(.ignored): desk.say("  seen: a press neither short nor long")
      case .end(.silent): return .silent
      case .end(.stuck): return .stuck
      case .end(.tried(let missed)): return .tried(missed: missed.map { "\($0)" })
      }
    }
    return nil
  }
}

extension Interval {
  /// `800 ms`, `2 s`.
  fileprivate var inWords: String {
    let milliseconds = nanoseconds / 1_000_000
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms"
  }
}
