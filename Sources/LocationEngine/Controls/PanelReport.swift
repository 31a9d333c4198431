import BinnacleBasics
import BinnacleModel

/// The part of the report about buttons and lights.
extension Panel {
  func add(to report: inout Report, at now: Instant) {
    if let indicator { indicator.add(to: &report, as: "indicator") }
    if let sense { sense.add(to: &report) }
    if let statusLamp {
      statusLamp.add(to: &report, as: "status_light")
      report.add("status_light.pattern", .text(statusLight.pattern.inWords))
    }
    for button in buttons { button.add(to: &report, at: now) }
  }
}

extension LineLink {
  fileprivate func add(to report: inout Report, as name: String) {
    report.add(name + ".line_state", .text(stateInWords))
    if let fault { report.add(name + ".fault", .text(fault.text)) }
    report.add(name + ".losses", .integer(Int64(lossCount)))
  }

  private var stateInWords: String {
    switch state {
    case .idle: "not started"
    case .opening: "asked for"
    case .open: "claimed"
    case .waiting: "not to be had, tried again later"
    }
  }
}

extension LampMachine {
  fileprivate func add(to report: inout Report, as name: String) {
    report.add(name + ".state", .text(isWanted ? "on" : "off"))
    if let readBack { report.add(name + ".read_back", .text(readBack ? "on" : "off")) }
    report.add(name + ".is_faulty", .flag(isFaulty))
    report.add(name + ".mismatches", .integer(Int64(mismatchCount)))
    link.add(to: &report, as: name)
  }
}

extension SenseMachine {
  fileprivate func add(to report: inout Report) {
    let name = "indicator.sense"
    if let isLit { report.add(name, .text(isLit ? "on" : "off")) }
    report.add(name + "_mismatches", .integer(Int64(mismatchCount)))
    report.add(name + "_is_faulty", .flag(isWrong || link.fault != nil))
    if let fault = link.fault { report.add(name + "_fault", .text(fault.text)) }
  }
}

extension ButtonMachine {
  fileprivate func add(to report: inout Report, at now: Instant) {
    let name = "buttons.\(self.name)"
    report.add(name + ".is_pressed", .flag(bounces.isActive))
    report.add(name + ".long_press_s", .number(gestures.timing.longPress.seconds))
    if gestures.state == .held, link.isOpen {
      report.add(name + ".waits_for_release", .flag(true))
    }
    if let last {
      report.add(name + ".last_gesture", .text("\(last.gesture)"))
      report.add(name + ".last_gesture_age_s", .number((now - last.instant).seconds))
    }
    report.add(name + ".short", .integer(Int64(counts.short)))
    report.add(name + ".long", .integer(Int64(counts.long)))
    report.add(name + ".double", .integer(Int64(counts.double)))
    report.add(name + ".ignored", .integer(Int64(counts.ignored)))
    report.add(name + ".bounces", .integer(Int64(bounces.bounceCount)))
    report.add(name + ".is_debounced_by_chip", .flag(isDebouncedByChip))
    link.add(to: &report, as: name)
  }
}

extension StatusLight.Pattern {
  fileprivate var inWords: String {
    switch self {
    case .off: "off: no receiver"
    case .slowBlink: "slow blink: searching"
    case .solid: "solid: fix"
    case .fastBlink: "fast blink: fault"
    case .doubleBlink: "double blink: updates pause"
    case .asleep: "off: the receiver sleeps"
    }
  }
}
