import BinnacleBasics
import BinnacleModel

/// Decides whether the receiver is on.
///
/// The decision depends on the need for positions, the board's rest, the satellite signals, and the time.
///
///     waiting --found and set up--> on
///     on --all sequences pause, for RestBeforeSleep--> asleep
///     on --no app wants positions, for a while--> asleep
///     on for updates --no satellite signal for SearchBudget--> asleep for 1, 2, 4 ... 15 min
///     asleep --updates are wanted--> on
///     asleep --time to probe, to refresh, or a sign of motion--> checking --done--> asleep
///     any --the receiver is gone, or does not sleep--> waiting, on
///
/// The machine only decides. ``SleepMachine`` makes the receiver sleep and wake.
struct PowerMachine: Equatable, Codable, Sendable {
  private(set) var state = State.waiting
  /// When the present state began; at first the daemon's start.
  private(set) var since = Instant.zero
  private(set) var lastWake: PowerWake?
  private(set) var onTime = OnTimeStatistics()
  /// When the receiver last had fresh ephemerides.
  private(set) var freshAt: Instant?
  private(set) var nextDeadline: Instant?
  let settings: PowerSettings
  private var seen = SleepStatistics()
  private(set) var failuresInARow = 0
  private(set) var notBefore = Instant.zero
  /// Whether the receiver may navigate at the rate of a resting board.
  private(set) var isCalm = false
  /// When the low rate was last ordered.
  private var calmedAt: Instant?
  /// The start of the refresh period: the last fresh ephemerides, or the end of the last attempt to refresh them.
  private var refreshedAt = Instant.zero
  private var probes = 0
  private var searches = 0
  private var searchSince = Instant.zero
  private var openings = 0
  private var movementPause = PowerSettings.movementPauseMin
  private var passing = PassedByAddress()
  private var movementNotBefore = Instant.zero
  /// The last sign of motion while the receiver slept or was awake for a moment.
  private var movementAt: Instant?

  enum State: Equatable, Codable, Sendable {
    /// There is no receiver that takes orders.
    case waiting
    case on(PowerNeed)
    /// Awake for a moment, and the number of fixes at the start of that state.
    case checking(ScheduledWake, fixes: Int)
    case asleep(PowerCause, Alarm)
  }

  /// The latest end of a sleep, and its purpose.
  struct Alarm: Equatable, Codable, Sendable {
    let at: Instant
    let purpose: Purpose
  }

  enum Purpose: Equatable, Codable, Sendable {
    case check(ScheduledWake)
    case search
  }

  /// The inputs of the machine.
  struct Situation {
    var need: PowerNeed
    var powerState: ReceiverPowerState
    /// Whether only a line wakes the receiver.
    var hasLineAlone: Bool
    var isOpen: Bool
    /// Sequences that were ever opened.
    var openings: Int
    /// Whether an accelerometer detects motion.
    var hasMotionSensor: Bool
    /// Whether there is a sign of motion now.
    var isMotionSuspected: Bool
    /// When the receiver last heard a satellite.
    var signalAt: Instant?
    var fixAt: Instant?
    var fixCount: Int
    var statistics: SleepStatistics
  }

  enum Order: Equatable, Sendable {
    case sleep(Interval)
    /// Whether an app waits for the receiver.
    case wake(isHurried: Bool)
  }

  init(_ settings: PowerSettings) { self.settings = settings }

  // MARK: State

  /// Whether the receiver sleeps or is awake for a moment only; a paused sequence then misses no positions.
  var holdsPauses: Bool {
    switch state {
    case .waiting, .on: false
    case .checking, .asleep: true
    }
  }

  /// Whether signs of motion count.
  var isWatchful: Bool {
    switch state {
    case .waiting: false
    case .on(let need): need == .updates
    case .checking, .asleep: true
    }
  }

  // MARK: Input

  mutating func started(at instant: Instant) { since = instant }

  /// Takes the situation; called after every event.
  mutating func settle(_ now: Situation, at instant: Instant) -> Order? {
    onTime.run(now.isOpen && now.powerState != .asleep, at: instant)
    take(now.statistics, at: instant)
    noteMovement(now, at: instant)
    let order = next(now, at: instant)
    calmDown(at: instant)
    if openings != now.openings { openings = now.openings }
    nextDeadline = deadline(now, at: instant)
    return order
  }

  private mutating func next(_ now: Situation, at instant: Instant) -> Order? {
    if now.powerState == .absent {
      if state != .waiting { become(.waiting, at: instant) }
      return nil
    }
    switch state {
    case .waiting:
      guard now.powerState != .busy else { return nil }
      searchSince = instant
      become(.on(now.need), at: instant)
      return nil
    case .on(let need):
      if need != now.need {
        become(.on(now.need), at: instant)
        searchSince = instant
      }
      if openings != now.openings || now.isMotionSuspected {
        searchSince = instant
        searches = 0
      }
      guard let cause = causeToSleep(now, at: instant) else { return nil }
      if let fixAt = now.fixAt, instant - fixAt < .seconds(10) { freshAt = instant }
      refreshedAt = freshAt ?? instant
      probes = 0
      return sleep(cause, now, at: instant)
    case .checking(let check, let fixes):
      return continued(check, fixes, now, at: instant)
    case .asleep(let cause, let alarm):
      return wakeIfDue(cause, alarm, now, at: instant)
    }
  }

  // MARK: On

  private func causeToSleep(_ now: Situation, at instant: Instant) -> PowerCause? {
    guard now.powerState == .ready, let due = sleepDue(now), due.at <= instant else { return nil }
    return due.cause
  }

  private func sleepDue(_ now: Situation) -> (cause: PowerCause, at: Instant)? {
    guard settings.sleeps, case .on(let need) = state else { return nil }
    switch need {
    case .rest: return (.rest, max(notBefore, since + settings.restBeforeSleep))
    case .noClient: return (.noClient, max(notBefore, since + settings.graceBeforeOff))
    case .updates:
      let budget = searches == 0 ? settings.searchBudget : PowerSettings.searchAgain
      let heard = max(searchSince, now.signalAt ?? searchSince)
      return (.noSignal, max(notBefore, heard + budget))
    }
  }

  /// Lowers the rate after a time at rest; a receiver that sleeps or is awake for a moment keeps its rate.
  private mutating func calmDown(at instant: Instant) {
    switch state {
    case .waiting, .on(.updates), .on(.noClient): isCalm = false
    case .on(.rest):
      guard !isCalm, let due = calmDue, due <= instant else { return }
      isCalm = true
      calmedAt = instant
    case .checking, .asleep: return
    }
  }

  private var calmDue: Instant? {
    guard case .on(.rest) = state, !isCalm else { return nil }
    let due = since + PowerSettings.calmAfter
    return calmedAt.map { max(due, $0 + PowerSettings.calmPause) } ?? due
  }

  // MARK: Asleep

  private mutating func wakeIfDue(
    _ cause: PowerCause, _ alarm: Alarm, _ now: Situation, at instant: Instant
  ) -> Order? {
    guard now.powerState.isAway else {
      // The receiver did not sleep, or no longer sleeps.
      searchSince = instant
      become(.on(now.need), at: instant)
      return nil
    }
    let isNew = openings != now.openings
    if now.need == .updates, cause != .noSignal || isNew || now.isMotionSuspected {
      lastWake = isNew ? .client : .motion
      if isNew || now.isMotionSuspected { searches = 0 }
      movementPause = PowerSettings.movementPauseMin
      return wake(.on(.updates), at: instant)
    }
    if now.need == .rest, cause == .noClient { return wake(.on(.rest), at: instant) }
    if alarm.at <= instant {
      switch alarm.purpose {
      case .search:
        lastWake = .search
        return wake(.on(now.need), at: instant)
      case .check(let check): return wake(check, now, at: instant)
      }
    }
    guard cause == .rest else { return nil }
    // Without an accelerometer that detects motion, the receiver must check whether the board has moved.
    if !now.hasMotionSensor {
      let probe = probeAlarm(at: instant)
      if probe.at < alarm.at { state = .asleep(cause, probe) }
      return nil
    }
    guard now.isMotionSuspected, movementNotBefore <= instant else { return nil }
    movementNotBefore = instant + movementPause
    movementPause = min(movementPause * 2, PowerSettings.movementPauseMax)
    return wake(.movement, now, at: instant)
  }

  private mutating func wake(_ check: ScheduledWake, _ now: Situation, at instant: Instant)
    -> Order?
  {
    lastWake = .check(check)
    return wake(
      .checking(check, fixes: now.fixCount), isHurried: check == .probe || check == .movement,
      at: instant)
  }

  private mutating func wake(
    _ state: State, isHurried: Bool = true, at instant: Instant
  ) -> Order? {
    searchSince = instant
    become(state, at: instant)
    return .wake(isHurried: isHurried)
  }

  private mutating func sleep(
    _ cause: PowerCause, _ now: Situation, at instant: Instant
  ) -> Order? {
    let alarm = alarm(cause, now, at: instant)
    if cause == .noSignal, case .on = state { searches += 1 }
    become(.asleep(cause, alarm), at: instant)
    let isProof = alarm.purpose == .check(.proof) && !now.statistics.isWakeProven
    return .sleep(
      isProof ? PowerSettings.proofDuration : alarm.at - instant + PowerSettings.ownTimer)
  }

  private func alarm(_ cause: PowerCause, _ now: Situation, at instant: Instant) -> Alarm {
    let longest = now.hasLineAlone ? PowerSettings.lineSleepMax : PowerSettings.sleepMax
    var alarm = Alarm(at: instant + longest, purpose: .check(.proof))
    func consider(_ purpose: Purpose, at due: Instant) {
      if due < alarm.at { alarm = Alarm(at: max(due, instant + .seconds(1)), purpose: purpose) }
    }
    if !now.statistics.isWakeProven, cause != .noSignal {
      consider(.check(.proof), at: instant + PowerSettings.proofAfter)
    }
    switch cause {
    case .noClient: break
    case .noSignal:
      let pauses = PowerSettings.searchPauses
      consider(.search, at: instant + pauses[min(searches, pauses.count - 1)])
    case .rest:
      consider(.check(.refresh), at: refreshedAt + PowerSettings.refreshPeriod)
      if !now.hasMotionSensor {
        let probe = probeAlarm(at: instant)
        consider(probe.purpose, at: probe.at)
      }
    }
    return alarm
  }

  private func probeAlarm(at instant: Instant) -> Alarm {
    let pauses = PowerSettings.probePauses
    return Alarm(
      at: instant + pauses[min(probes, pauses.count - 1)], purpose: .check(.probe))
  }

  /// Notes a sign of motion, and resets the pause between checks after a long time without signs.
  ///
  /// A storm with its many signs therefore gets few checks. A truck in the night is checked at once.
  private mutating func noteMovement(_ now: Situation, at instant: Instant) {
    guard holdsPauses, now.hasMotionSensor, now.isMotionSuspected else { return }
    if let movementAt, instant - movementAt > PowerSettings.movementPauseMax {
      movementPause = PowerSettings.movementPauseMin
    }
    movementAt = instant
  }

  // MARK: Checking

  private mutating func continued(
    _ check: ScheduledWake, _ fixes: Int, _ now: Situation, at instant: Instant
  ) -> Order? {
    if now.need == .updates {
      lastWake = openings != now.openings ? .client : .motion
      become(.on(.updates), at: instant)
      return nil
    }
    guard now.powerState == .ready, isOver(check, fixes, now, at: instant),
      notBefore <= instant
    else { return nil }
    if let fixAt = now.fixAt, fixAt > since, check == .refresh { freshAt = instant }
    switch check {
    case .refresh: refreshedAt = instant
    case .probe: probes += 1
    case .movement, .proof: break
    }
    return sleep(now.need == .rest ? .rest : .noClient, now, at: instant)
  }

  private func isOver(
    _ check: ScheduledWake, _ fixes: Int, _ now: Situation, at instant: Instant
  ) -> Bool {
    // The clients that needed the check have left while the receiver slept.
    if now.need == .noClient { return true }
    if check == .probe, now.fixCount - fixes >= PowerSettings.probeFixes { return true }
    if check == .movement, !now.isMotionSuspected { return true }
    return instant - since >= limit(of: check)
  }

  private func limit(of check: ScheduledWake) -> Interval {
    switch check {
    case .probe: PowerSettings.probeMax
    case .refresh: PowerSettings.refreshDuration
    case .movement: PowerSettings.movementCheckMax
    case .proof: .zero
    }
  }

  // MARK: Failures

  /// After each failure to sleep or to wake, the receiver stays awake for a longer time.
  private mutating func take(_ statistics: SleepStatistics, at instant: Instant) {
    guard statistics != seen else { return }
    defer { seen = statistics }
    if statistics.wakes > seen.wakes { failuresInARow = 0 }
    if statistics.wakesByItself > seen.wakesByItself { lastWake = .byItself }
    let isDeaf = statistics.failedWakes > seen.failedWakes
    guard
      isDeaf || statistics.refusals > seen.refusals || statistics.wakesByItself > seen.wakesByItself
    else { return }
    let exponent = min(failuresInARow, 10)
    failuresInARow += 1
    let first = isDeaf ? PowerSettings.deafPauseMin : PowerSettings.failurePauseMin
    let last = isDeaf ? PowerSettings.deafPauseMax : PowerSettings.failurePauseMax
    notBefore = instant + min(first * (1 << Int64(isDeaf ? exponent : 2 * exponent)), last)
  }

  private mutating func become(_ state: State, at instant: Instant) {
    self.state = state
    since = instant
  }

  /// The next deadline; an action that is due but waits for the receiver follows the receiver's next event.
  private func deadline(_ now: Situation, at instant: Instant) -> Instant? {
    let due: Instant? =
      switch state {
      case .waiting: nil
      case .on: earlier(sleepDue(now).flatMap { $0.at > instant ? $0.at : nil }, calmDue)
      case .checking(let check, _): max(notBefore, since + limit(of: check))
      case .asleep(_, let alarm): alarm.at
      }
    return due.flatMap { $0 > instant ? $0 : nil }
  }
}
