public import BinnacleBasics
public import Board

/// Takes the results of the interactive test of lights and buttons.
extension Examination {
  /// A light in the profile.
  public struct Lamp: Equatable, Sendable {
    /// The section of the profile.
    public let section: String
    /// The name of the line, or of the LED.
    public let line: String
    /// Whether the light is an LED of the kernel, and not on a line.
    public let isLED: Bool
    public let isActiveLow: Bool
    /// The input that is wired to the lamp.
    public let sense: String?
    /// The settling time of the lamp before `sense` is compared.
    public let settling: Interval

    /// The name for people.
    public var name: String { section == "Indicator" ? "indicator" : "status light" }
    /// The key of the profile that names the light.
    public var key: String { "[\(section)] \(isLED ? "Class" : "Line")=" }
  }

  /// The result for a light.
  public struct LampAnswer: Equatable, Sendable {
    /// Whether the light's line read back the right levels, lit and dark.
    public var readsLit = true
    public var readsDark = true
    /// Whether the input at the lamp read the same levels; true without such an input.
    public var isSensed = true
    /// Whether the person saw the light.
    public var isSeenLit = true
    public var isSeenDark = true

    public init() {}
  }

  /// The result for a button.
  public enum ButtonAnswer: Equatable, Sendable {
    /// No press was detected.
    case silent
    /// The button reads pressed while it is released.
    case stuck
    /// Presses were detected; these requested kinds of press are missing.
    case tried(missed: [String])
  }

  /// The reason why a line cannot be tested.
  public enum LineTrouble: Equatable, Sendable {
    case chipMissing, lineMissing, held, notPermitted, failed
  }

  /// The lights of the profile.
  public var lamps: [Lamp] {
    var lamps: [Lamp] = []
    if let lamp = profile?.indicator {
      lamps.append(
        Lamp(
          section: "Indicator", line: lamp.ledName ?? lamp.line, isLED: lamp.ledName != nil,
          isActiveLow: lamp.isActiveLow, sense: lamp.sense, settling: lamp.settling))
    }
    if let lamp = profile?.statusLED {
      lamps.append(
        Lamp(
          section: "StatusLED", line: lamp.line, isLED: false, isActiveLow: lamp.isActiveLow,
          sense: nil, settling: .zero))
    }
    return lamps
  }

  /// The location of the lines, with the full path of a virtual board's socket.
  public var lineSource: Profile.LineSource? {
    switch profile?.board.lines {
    case .simulated(let path): .simulated(path: socket(path))
    case .chip(let label): .chip(label: label)
    case nil: nil
    }
  }

  /// Reports that there is nothing to test.
  public mutating func panelMissing() {
    findings.append(
      .note(
        .panelNotTried, "lights and buttons",
        profile == nil
          ? "no profile says where they are" : "the profile names no light and no button",
        mend: profile == nil ? "--board NAME" : nil))
  }

  /// Whether a daemon may be driving the lamp: no claim keeps two programs apart at an LED of the kernel.
  public func isInUse(_ lamp: Lamp) -> Bool {
    lamp.isLED && !machine.processes.named("binnacled").isEmpty
  }

  /// Reports an LED that was not tried, because a daemon runs.
  public mutating func lampLeftAlone(_ lamp: Lamp) {
    findings.append(
      .note(
        .panelNotTried, subject(lamp.line), "a daemon runs, and may need the \(lamp.name)",
        mend: commandToStopDaemon + ", and start it again when the light is tried"))
  }

  // MARK: Lines

  /// Reports a line that could not be claimed; returns whether other lines can be tested.
  public mutating func lineFailed(
    _ line: String, key: String, _ trouble: LineTrouble, _ text: String
  ) -> Bool {
    switch trouble {
    case _ where isLED(line):
      add(
        trouble == .lineMissing
          ? .lineMissing : trouble == .notPermitted ? .deviceRefused : .lineFails,
        subject(line), text, mend: "\(key) in a drop-in of the profile names another LED")
    case .chipMissing:
      add(
        .chipMissing, linePlace, text, mend: "GPIO= in a drop-in of the profile names the right one"
      )
      return false
    case .notPermitted:
      add(
        .deviceRefused, linePlace, text,
        mend: "sudo binnacle doctor --interactive")
      return false
    case .held where text.contains("'binnacle "):
      add(
        .panelNotTried, "lights and buttons", "the daemon has them: \(text)",
        mend: commandToStopDaemon + ", and start it again after the test")
      return false
    case .held:
      add(
        .lineHeld, subject(line), "\(key) names it; \(text)",
        mend: "end what has it, or name another line with \(key) in a drop-in of the profile")
    case .lineMissing:
      add(.lineMissing, subject(line), text, mend: "\(key) in a drop-in of the profile")
    case .failed:
      add(
        .lineFails, subject(line), text,
        mend: "'sudo dmesg | tail' shows the error of the kernel; then try again")
    }
    return true
  }

  private mutating func add(
    _ name: Finding.Name, _ subject: String, _ text: String, mend: String
  ) {
    // The inspection may have reported the fault before.
    if findings.contains(where: { $0.name == name && $0.subject == subject }) { return }
    findings.append(.fault(name, subject, text, mend: mend))
  }

  private var commandToStopDaemon: String {
    let stop = "sudo systemctl stop \(ServiceUnit.name)"
    let running = machine.processes.named("binnacled")
    let user = machine.unit.flatMap { machine.users.userID(named: $0.user) }
    if running.allSatisfy({ $0.userID == user }) { return stop }
    // Only a daemon that has answered is certainly the daemon of this board.
    guard case .report = inquiry.daemon, let daemon else {
      let ids = running.map { String($0.id) }
      return "end the binnacled that has this board (process \(ids.joined(separator: " or ")))"
    }
    if daemon.userID == user { return stop }
    let isOwn = daemon.userID == machine.processes.own?.userID
    return "\(isOwn ? "" : "sudo ")kill \(daemon.id)"
  }

  private var linePlace: String {
    switch lineSource {
    case .chip(let label): label
    case .simulated(let path): "sim:" + path
    case nil: ""
    }
  }

  private func subject(_ line: String) -> String {
    isLED(line) ? "LED \(line)" : "\(line) of \(linePlace)"
  }

  private func isLED(_ name: String) -> Bool { lamps.contains { $0.isLED && $0.line == name } }

  // MARK: Lights

  /// Takes the result of switching a light on and off.
  public mutating func lampTried(_ lamp: Lamp, _ answer: LampAnswer) {
    let key = lamp.key
    if !answer.readsLit || !answer.readsDark {
      let told = answer.readsLit ? "dark it reads back lit" : "lit it reads back dark"
      add(
        .lampReadBack, subject(lamp.line), "the \(lamp.name)'s line: set \(told)",
        mend:
          "disconnect everything else that drives or shorts \(lamp.line), or name another line with \(key) in a "
          + "drop-in of the profile")
    } else if !answer.isSensed, let sense = lamp.sense {
      add(
        .lampReadBack, subject(sense), "it does not follow the \(lamp.name) that it is wired to",
        mend:
          "wire \(sense) to where \(lamp.line) meets the lamp's resistor, or Sense=none in [\(lamp.section)] of a "
          + "drop-in of the profile")
    }
    switch (answer.isSeenLit, answer.isSeenDark) {
    case (true, true): return
    case (false, false):
      add(
        .lampUnseen, subject(lamp.line),
        "the \(lamp.name) is dark when it must be lit, and lit when it must be dark",
        mend: lamp.isLED
          ? "the device tree or overlay of the LED says at which level it is lit"
          : "ActiveLow=\(lamp.isActiveLow ? "no" : "yes") in [\(lamp.section)] of a drop-in of the profile"
      )
    case (false, true):
      let other = lamp.isActiveLow ? "3.3 V" : "ground"
      add(
        .lampUnseen, subject(lamp.line), "the \(lamp.name) is not seen lit",
        mend:
          "see that the lamp and its resistor lie between \(lamp.line) and \(other), and turn an LED round"
      )
    case (true, false):
      add(
        .lampUnseen, subject(lamp.line), "the \(lamp.name) is not seen dark",
        mend: "check that the lamp is wired to \(lamp.line) and that nothing else feeds it")
    }
  }

  // MARK: Buttons

  /// Takes the result of testing a button.
  public mutating func buttonTried(_ button: Profile.Button, _ answer: ButtonAnswer) {
    let section = "[Button \(button.name)]"
    let settings =
      "\(section) says ActiveLow=\(button.isActiveLow ? "yes" : "no") and Bias=\(button.bias.rawValue)"
    switch answer {
    case .tried(let missed) where missed.isEmpty: return
    case .tried(let missed):
      findings.append(
        .note(
          .buttonUnclear, subject(button.line),
          "button \(button.name): no \(missed.joined(separator: " and no ")) press was seen, others were",
          mend:
            "try again; LongPress=, ShortMax= and DoubleWindow= in [Buttons] of a drop-in of the profile say how "
            + "long is long"))
    case .silent:
      let other = button.isActiveLow ? "ground" : "3.3 V"
      add(
        .buttonSilent, subject(button.line), "button \(button.name): no press was seen",
        mend: "wire it between \(button.line) and \(other); \(settings)")
    case .stuck:
      let wanted: Profile.Button.Bias = button.isActiveLow ? .pullUp : .pullDown
      let opposite: Profile.Button.Bias = button.isActiveLow ? .pullDown : .pullUp
      let (short, other) = button.isActiveLow ? ("ground", "3.3 V") : ("3.3 V", "ground")
      add(
        .buttonStuck, subject(button.line), "button \(button.name): it reads pressed all the time",
        mend: button.bias == wanted
          ? "look for a short of \(button.line) to \(short); a button that goes to \(other) wants "
            + "ActiveLow=\(button.isActiveLow ? "no" : "yes") and Bias=\(opposite.rawValue) in \(section) of a "
            + "drop-in of the profile"
          : "Bias=\(wanted.rawValue) in \(section) of a drop-in of the profile, or a resistor that does the same; "
            + "now \(settings)")
    }
  }
}
