import BinnacleBasics
import BinnacleModel

/// The part of the report about buttons and lights.
extension Panel {
  func add(to report: inout Report, at now: Instant) {
    if let indicator { indicator.add(to: &report, as: "indicator") }
    if let sense { sense.add(to: &report) }
    if let statusLamp {
      statusLamp.add(to: &report, as: "status_light")
      report.add(.statusLightPattern, statusLight.pattern.inWords)
    }
    for button in buttons { button.add(to: &report, at: now) }
  }
}

extension LineLink {
  fileprivate func add(to report: inout Report, as name: String) {
    report.add(.lineState(name), stateInWords)
    if let fault { report.add(.lineFault(name), fault.text) }
    report.add(.lineLosses(name), Int64(lossCount))
  }

  private var stateInWords: String {
    switch state {
    case .idle: "not started"
    case .opening: "asked for"
    case .open: "claimed"
    case .waiting: "unavailable, the daemon tries again later"
    }
  }
}

extension LampMachine {
  fileprivate func add(to report: inout Report, as name: String) {
    report.add(.lampState(name), isWanted ? "on" : "off")
    if let readBack { report.add(.lampReadBack(name), readBack ? "on" : "off") }
    report.add(.lampIsFaulty(name), isFaulty)
    report.add(.lampMismatches(name), Int64(mismatchCount))
    link.add(to: &report, as: name)
  }
}

extension SenseMachine {
  fileprivate func add(to report: inout Report) {
    if let isLit { report.add(.senseState, isLit ? "on" : "off") }
    report.add(.senseMismatches, Int64(mismatchCount))
    report.add(.senseIsFaulty, isWrong || isUnsettled || link.fault != nil)
    if let fault = link.fault {
      report.add(.senseFault, fault.text)
    } else if isUnsettled {
      report.add(.senseFault, "the sense does not settle: look at its wires")
    }
  }
}

extension ButtonMachine {
  fileprivate func add(to report: inout Report, at now: Instant) {
    let name = self.name
    report.add(.buttonIsPressed(name), bounces.isActive)
    report.add(.buttonLongPress(name), gestures.timing.longPress.seconds)
    if gestures.state == .held, link.isOpen {
      report.add(.buttonWaitsForRelease(name), true)
    }
    if let last {
      report.add(.buttonLastGesture(name), "\(last.gesture)")
      report.add(.buttonLastGestureAge(name), (now - last.instant).seconds)
    }
    report.add(.buttonShort(name), Int64(counts.short))
    report.add(.buttonLong(name), Int64(counts.long))
    report.add(.buttonDouble(name), Int64(counts.double))
    report.add(.buttonIgnored(name), Int64(counts.ignored))
    report.add(.buttonBounces(name), Int64(bounces.bounceCount))
    report.add(.buttonIsDebouncedByChip(name), isDebouncedByChip)
    link.add(to: &report, as: "buttons.\(name)")
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
