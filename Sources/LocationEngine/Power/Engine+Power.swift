import BinnacleBasics
import BinnacleModel

/// The receiver's power: when the receiver is on, for which apps, and the report of both.
extension Engine {
  /// Ephemerides are valid for this long (NEO-F10N integration manual, UBXDOC-963802114-12193).
  private static let freshMax = Interval.seconds(4 * 3_600)

  /// Applies the decision about power; called after every event.
  mutating func settlePower(at now: Instant, into effects: inout [Effect]) {
    let wasCalm = power.isCalm
    let order = power.settle(situation(at: now), at: now)
    if power.isCalm != wasCalm { reportDemand(at: now, into: &effects) }
    updates.holdPauses(power.holdsPauses, at: now)
    switch order {
    case nil: break
    case .sleep(let duration):
      // Pending state is written first, since nothing is written while the receiver sleeps.
      follow(storage.writeAll(at: now, into: &effects), at: now, into: &effects)
      receiver.sleep(for: duration, at: now, into: &effects)
    case .wake(let isHurried): receiver.wake(isHurried: isHurried, at: now, into: &effects)
    }
    rest.receiverSeen(isAway: receiver.powerState.isAway, at: now)
  }

  /// Orders the demand of the open sequences; while all of them rest, the rate is the lowest.
  mutating func reportDemand(at now: Instant, into effects: inout [Effect]) {
    var demand = demand
    if power.isCalm { demand.rateHz = min(demand.rateHz, PowerSettings.restRateHz) }
    receiver.demandChanged(demand, at: now, into: &effects)
  }

  private func situation(at now: Instant) -> PowerMachine.Situation {
    let hasMotionSensor = rest.hasMotionSensor(at: now)
    return PowerMachine.Situation(
      need: settledNeed, powerState: receiver.powerState,
      hasLineAlone: receiver.link?.kind.isBus ?? false,
      isOpen: receiver.condition != .absent, openings: updates.openedCount,
      hasMotionSensor: hasMotionSensor,
      isMotionSuspected: power.isWatchful && hasMotionSensor && rest.isMotionSuspected,
      signalAt: receiver.memory.signalAt, fixAt: updates.lastFix?.instant,
      fixCount: judge.acceptedCount, statistics: receiver.memory.sleep)
  }
}

// MARK: The report

extension Engine {
  /// The part of the report for `binnacle power`.
  func addPower(to report: inout Report, at now: Instant) {
    report.add(.powerState, power.stateInWords(receiver.powerState))
    report.add(.powerSince, (now - power.since).seconds)
    if case .asleep(let cause, let alarm) = power.state {
      report.add(.powerCause, cause.rawValue)
      if receiver.powerState == .asleep {
        report.add(.powerWakesIn, max(.zero, alarm.at - now).seconds)
      }
    }
    if let why = power.staysOn(receiver.powerState, at: now) {
      report.add(.powerStaysOn, why)
    }
    if let wake = power.lastWake { report.add(.powerLastWake, wake.inWords) }
    addWakeWay(to: &report)
    addNextFix(to: &report, at: now)
    let figures = power.onTime.figures(at: now)
    report.add(.powerOnLastHour, figures.hour)
    report.add(.powerOnLastDay, figures.day)
    report.add(.powerOnSinceStart, figures.sinceStart)
    report.add(.powerUptime, figures.uptime)
    let statistics = receiver.memory.sleep
    report.add(.powerSleeps, Int64(statistics.sleeps))
    report.add(.powerWakes, Int64(statistics.wakes))
    report.add(.powerWakesByItself, Int64(statistics.wakesByItself))
    report.add(.powerSleepsRefused, Int64(statistics.refusals))
    report.add(.powerWakesFailed, Int64(statistics.failedWakes))
    if let setup = receiver.connection?.value.setup {
      report.add(.powerSettingsMended, Int64(setup.mendedCount))
    }
    addUsers(to: &report, at: now)
  }

  /// The signal that wakes the receiver, and the state of the line to its wake-up pin.
  private func addWakeWay(to report: inout Report) {
    let line = receiver.memory.wakeLine
    if let way = receiver.wakeWay { report.add(.powerWokenBy, way) }
    guard let line else { return }
    report.add(.wakeLinePulses, Int64(line.pulseCount))
    if let fault = line.fault { report.add(.wakeLineFault, fault) }
  }

  /// The apps that keep the receiver on, with their configuration and duration.
  private func addUsers(to report: inout Report, at now: Instant) {
    var number = 0
    func add(_ who: String, _ what: String, _ since: Instant?) {
      number += 1
      report.add(.powerUserName("\(number)"), who)
      report.add(.powerUserPurpose("\(number)"), what)
      if let since { report.add(.powerUserSince("\(number)"), (now - since).seconds) }
    }
    for client in apps.clients where apps.entitlement(of: client.peer).isGranted {
      for sequence in updates.sequences(of: client.id) where !sequence.pause.isPaused {
        add(client.program, sequence.configuration.name, sequence.activeSince)
      }
    }
    if !apps.awaited.isEmpty {
      add("programs that have ended", "their updates may be taken up again", nil)
    }
    if number > 0, storage.tracks.settings != nil {
      add("binnacled", "keeps the track meanwhile", nil)
    }
    if number == 0, case .waiting = power.state {
      add("binnacled", "looks for the receiver and sets it up", power.since)
    }
    if case .checking(let check, _) = power.state { add("binnacled", check.rawValue, power.since) }
    if case .on(let need) = power.state, need != .updates {
      add("binnacled", power.staysReady(need, receiver.powerState), power.since)
    }
  }

  private func addNextFix(to report: inout Report, at now: Instant) {
    guard let forecast = fixForecast(at: now) else { return }
    report.add(.powerNextFix, forecast.rawValue)
    report.add(.powerNextFixTime, forecast.seconds)
  }

  /// The expected way to the next fix; nil for a receiver that is absent or not heard.
  func fixForecast(at now: Instant) -> FixForecast? {
    switch receiver.condition {
    case .absent, .searching, .silent: return nil
    case .asleep, .heard: break
    }
    if let last = updates.lastFix, now - last.instant < .seconds(2) { return .continues }
    return switch power.freshAt.map({ now - $0 <= Engine.freshMax }) {
    case .some(true): .hotStart
    case .some(false): .warmStart
    case .none: updates.lastFix == nil ? .coldStart : .hotStart
    }
  }
}

extension PowerMachine {
  func stateInWords(_ powerState: ReceiverPowerState) -> String {
    switch powerState {
    case .waking: return "being woken"
    case .fallingAsleep: return "falling asleep"
    case .absent, .busy, .ready, .sleepless, .asleep: break
    }
    switch state {
    case .waiting: return "no receiver is set up"
    case .on(.updates): return "on"
    case .on(.rest): return "resting"
    case .on(.noClient): return "on without a client"
    case .checking: return "awake for a moment"
    case .asleep(.noClient, _): return "off"
    case .asleep: return "asleep"
    }
  }

  /// The reason why the receiver stays on although it could sleep.
  func staysOn(_ powerState: ReceiverPowerState, at now: Instant) -> String? {
    guard case .on(let need) = state, need != .updates else { return nil }
    if !settings.sleeps { return "Sleep=never in the board's profile" }
    if case .sleepless(let why) = powerState { return why.rawValue }
    guard notBefore > now else { return nil }
    let seconds = (notBefore - now).nanoseconds / 1_000_000_000 + 1
    let wait = seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
    return
      "it did not sleep, or did not wake, \(failuresInARow == 1 ? "once" : "\(failuresInARow) times"); "
      + "tried again in \(wait)"
  }

  /// The purpose for which the receiver is on although no app gets positions.
  func staysReady(_ need: PowerNeed, _ powerState: ReceiverPowerState) -> String {
    if !settings.sleeps { return "may not let it sleep" }
    if case .sleepless = powerState { return "cannot let it sleep" }
    return need == .rest ? "keeps it ready, for updates that pause" : "keeps it ready for a moment"
  }
}
