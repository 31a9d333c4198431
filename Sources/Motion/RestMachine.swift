public import BinnacleBasics

/// Decides whether the board rests: quiet time accumulates to the dwell, and measurements of motion end a rest.
///
/// ```
///            credit reaches the dwell, this hop is quiet
///   moving ------------------------------------------------> stationary
///          <------------------------------------------------
///            shaken, speed, displacement, blind
/// ```
public struct RestMachine: Equatable, Codable, Sendable {
  private let profile: MotionProfile
  private let dwellSeconds: Double
  private var state = State.moving(creditSeconds: 0)
  private var displacement = Displacement()
  /// One bit per hop, the newest lowest: 1 if the accelerometer was active.
  private var activity: UInt64 = 0
  /// The same bits for hops far above the threshold.
  private var farActivity: UInt64 = 0
  private var restSpeed = RestSpeed()
  private var fast = Streak()
  private var rising = Streak()
  /// Whether the speed of the newest solution is that of a starting board, or too high for a rest by the receiver alone.
  private var isSpeedInDoubt = false
  private var blindHops = 0
  private var falseAlarms = FalseAlarms()
  public private(set) var verdict: MotionVerdict

  /// The number of consecutive hops with a certain property of the speed, and the number of solutions with it.
  ///
  /// A single solution counts until the next solution arrives.
  private struct Streak: Equatable, Codable, Sendable {
    private var hops = 0
    private var solutions = 0
    private var counted: Instant?

    mutating func hopEnded(_ isSo: Bool, at instant: Instant?) {
      guard isSo else {
        self = Streak()
        return
      }
      hops += 1
      if counted != instant { solutions += 1 }
      counted = instant
    }

    var isOn: Bool { hops > 0 }

    func lasts(_ hopsMin: Int) -> Bool {
      hops >= hopsMin && solutions >= RestMachine.solutionsMin
    }
  }

  /// The state of the machine.
  private enum State: Equatable, Codable, Sendable {
    /// Can go to `stationary`.
    case moving(creditSeconds: Double)
    /// Can go to `moving`. The receiver is requested from `probing` on, the time of the first suspicion.
    case stationary(probing: Instant?)
  }

  private static let hopSeconds = MotionWindow.hop.seconds
  /// The number of hops with a high speed that clear the accumulated rest.
  private static let fastHopsMax = 4
  /// The number of hops with a slowly rising speed that end a rest.
  private static let risingHopsMax = 3
  /// The least number of solutions.
  ///
  /// With a poor view of the sky, one solution per minute has a speed error of several meters per second, but reports
  /// a good accuracy.
  private static let solutionsMin = 2
  /// The number of hops without any measurement that end a rest, and clear the accumulated rest.
  ///
  /// The time is 10 s, more than a hot start takes.
  private static let blindHopsMax = 40
  /// The time for which the receiver is requested after a suspicion; repeated suspicion extends it.
  private static let probe = Interval.seconds(20)
  /// The drift of a resting receiver with a fair view of the sky.
  private static let wanderMeters = 15.0
  /// A larger distance than the jumps of a resting receiver.
  private static let leaveMeters = 25.0

  /// - Parameters:
  ///   - profile: the sensitivity of the end of a rest.
  ///   - dwell: the required quiet time; 0 gives the immediate verdict.
  ///   - start: the start of the machine; the verdict is "moving" until there is evidence.
  public init(profile: MotionProfile = .standard, dwell: Interval, at start: Instant) {
    self.profile = profile
    dwellSeconds = max(dwell.seconds, 0)
    verdict = MotionVerdict(
      isStationary: false, since: start, reason: .start,
      evidence: MotionEvidence(
        sources: .none, accelerometer: .unusable(.absent), speed: nil, displacementMeters: 0,
        creditSeconds: 0, dwellSeconds: dwellSeconds))
  }

  /// Makes a machine whose dwell is complete, because the board rested here before.
  ///
  /// The next hop decides whether the board still rests.
  ///
  /// - Parameters:
  ///   - profile: the sensitivity of the end of a rest.
  ///   - dwell: the required quiet time, which has passed.
  ///   - place: the position of the rest.
  ///   - start: the start of the machine; the verdict is "moving" until the first hop was evaluated.
  public init(
    profile: MotionProfile, dwell: Interval, restedAt place: SolutionReading.Place,
    at start: Instant
  ) {
    self.init(profile: profile, dwell: dwell, at: start)
    state = .moving(creditSeconds: dwellSeconds)
    displacement = Displacement(from: place)
  }

  /// Whether a sleeping receiver should be polled: there may be motion, or the accelerometer is unusable.
  public var wantsReceiver: Bool {
    switch state {
    case .moving: true
    case .stationary(let probing): probing != nil
    }
  }

  /// Whether a measurement contradicts the rest, or there is no measurement; the next hops decide.
  ///
  /// The contradiction is the position or the speed of the newest solution.
  public var isDoubted: Bool { displacement.beyondCount > 0 || isSpeedInDoubt || blindHops > 0 }

  /// Takes a reading; returns true if the verdict has changed.
  public mutating func hopEnded(_ reading: MotionReading) -> Bool {
    let speed = learnedJudgement(of: reading.solution)
    let reading = known(reading, speed)
    var sway: AccelerometerReading.Sway?
    if case .measured(let measured) = reading.accelerometer { sway = measured }
    activity = activity << 1 | (sway?.isActive == true ? 1 : 0)
    farActivity = farActivity << 1 | (sway?.isFar == true ? 1 : 0)
    fast.hopEnded(speed?.isFast == true, at: reading.solutionInstant)
    rising.hopEnded(speed?.isRising == true, at: reading.solutionInstant)
    let isBlind = sway == nil && reading.solution == nil && reading.accelerometer != .watching
    // A board may have moved and stopped again while there was no measurement.
    let isElsewhere =
      blindHops > 0
      && displacement.isElsewhere(
        reading.solution?.place, leastLimitMeters: RestMachine.wanderMeters)
    blindHops = isBlind ? min(blindHops + 1, RestMachine.blindHopsMax) : 0
    let reason: MotionVerdict.Reason?
    switch state {
    case .moving(let credit):
      reason = hopWhileMoving(
        reading, sway, speed, credit, isElsewhere: isElsewhere)
    case .stationary(let probing): reason = hopWhileStationary(reading, sway, speed, probing)
    }
    noteAlarms(reason)
    if let reason {
      verdict.isStationary = reason == .dwellReached
      verdict.since = reading.end
      verdict.reason = reason
      forgetStreaks()
    }
    keepEvidence(reading, speed)
    return reason != nil
  }

  /// Takes a solution immediately; returns true if the verdict has changed.
  ///
  /// A solution with a certain motion, or the second solution with a large distance, ends a rest before the end of its
  /// hop. The solution is therefore not delivered as a solution at rest. A receiver that is awake for three solutions
  /// decides with the second solution, however soon the third solution arrives.
  public mutating func solutionArrived(_ reading: SolutionReading, at now: Instant) -> Bool {
    guard case .stationary = state, let sound = reading.sound else { return false }
    blindHops = 0
    if displacement.isNext(now) {
      displacement.solutionArrived(
        sound.place, at: now, leastLimitMeters: RestMachine.leaveMeters)
    }
    let speed = SolutionJudgement(sound, restSpeed: restSpeed.metersPerSecond)
    isSpeedInDoubt = speed.map { $0.isRising || isReceiverAlone && !$0.isSlow } ?? false
    let isFast = speed?.isSudden == true
    guard isFast || displacement.beyondCount >= RestMachine.solutionsMin else { return false }
    state = .moving(creditSeconds: 0)
    displacement.restart()
    falseAlarms.boardMoved()
    verdict.isStationary = false
    verdict.since = now
    verdict.reason = isFast ? .speed : .displacement
    verdict.evidence.speed = speed?.speed
    verdict.evidence.creditSeconds = 0
    forgetStreaks()
    return true
  }

  /// Whether the accelerometer measures nothing.
  private var isReceiverAlone: Bool {
    switch verdict.evidence.accelerometer {
    case .unusable: true
    case .measured, .watching: false
    }
  }

  private mutating func forgetStreaks() {
    (activity, farActivity, blindHops) = (0, 0, 0)
    (fast, rising, isSpeedInDoubt) = (Streak(), Streak(), false)
  }

  /// Evaluates a speed, and learns the noise of the speed while the dwell accumulates.
  private mutating func learnedJudgement(of solution: SolutionReading?) -> SolutionJudgement? {
    if case .moving(let credit) = state {
      if credit == 0 { restSpeed.forget() }
      // A speed that contradicts a rest is not from a board at rest.
      if let speed = SolutionJudgement(solution), speed.allowsRest {
        restSpeed.hopEnded(speed.speed)
      }
    }
    return SolutionJudgement(solution, restSpeed: restSpeed.metersPerSecond)
  }

  /// The reading with the learned sway of this place, which does not end a rest.
  private mutating func known(
    _ reading: MotionReading, _ speed: SolutionJudgement?
  ) -> MotionReading {
    guard case .measured(var sway) = reading.accelerometer else {
      falseAlarms.hopEnded(nil, speed, at: reading.end)
      return reading
    }
    falseAlarms.hopEnded(sway, speed, at: reading.end)
    guard case .stationary = state else { return reading }
    sway.toleratedMilliG = falseAlarms.toleratedMilliG
    var known = reading
    known.accelerometer = .measured(sway)
    return known
  }

  private mutating func noteAlarms(_ reason: MotionVerdict.Reason?) {
    switch reason {
    case .dwellReached: falseAlarms.restBegan()
    case .shaken: falseAlarms.restShaken()
    case .speed, .displacement: falseAlarms.boardMoved()
    case .blind, .start, nil: break
    }
    let isDriven =
      fast.lasts(RestMachine.fastHopsMax) || rising.lasts(RestMachine.risingHopsMax)
    if isDriven || displacement.beyondCount > 0 { falseAlarms.boardMoved() }
  }

  private mutating func hopWhileMoving(
    _ reading: MotionReading, _ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?,
    _ before: Double, isElsewhere: Bool
  ) -> MotionVerdict.Reason? {
    displacement.solutionArrived(
      reading.solution?.place, at: reading.solutionInstant,
      leastLimitMeters: RestMachine.wanderMeters)
    var credit = before + creditChange(sway, speed, hasPlace: reading.solution?.place != nil)
    let isLeft =
      fast.lasts(RestMachine.fastHopsMax) || isElsewhere || displacement.beyondCount > 0
    if isLeft || blindHops >= RestMachine.blindHopsMax { credit = 0 }
    credit = min(max(credit, 0), dwellSeconds)
    if credit == 0, before == 0 || isElsewhere || displacement.beyondCount > 0 {
      displacement.restart()
      displacement.solutionArrived(
        reading.solution?.place, at: reading.solutionInstant,
        leastLimitMeters: RestMachine.wanderMeters)
    }
    let isQuiet = sway.map { !$0.isActive || speed?.vouches == true } ?? (speed?.isSlow == true)
    let isHeard = sway != nil || reading.solution != nil
    let isPlaced = sway == nil && speed == nil
    guard
      isHeard, isQuiet || isPlaced, credit >= dwellSeconds, speed?.allowsRest ?? true
    else {
      state = .moving(creditSeconds: credit)
      return nil
    }
    state = .stationary(probing: nil)
    return .dwellReached
  }

  /// The change of the accumulated rest by a hop, in seconds.
  private func creditChange(
    _ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?, hasPlace: Bool
  ) -> Double {
    let hop = RestMachine.hopSeconds
    switch (sway, speed) {
    case (let sway?, let speed?) where !sway.isActive: return speed.allowsRest ? hop : 0
    case (.some, let speed?):
      // The board shakes and the receiver has a speed: a low speed means an idling car, or people in a parked car.
      return speed.vouches ? hop : -2 * hop
    case (let sway?, nil): return sway.isActive ? -3 * hop : hop
    case (nil, let speed?): return speed.isSlow ? hop : speed.allowsRest ? 0 : -2 * hop
    // There is only a position: the distance within its limit is the only evidence.
    case (nil, nil): return hasPlace ? hop / 2 : 0
    }
  }

  private mutating func hopWhileStationary(
    _ reading: MotionReading, _ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?,
    _ before: Instant?
  ) -> MotionVerdict.Reason? {
    displacement.solutionArrived(
      reading.solution?.place, at: reading.solutionInstant,
      leastLimitMeters: RestMachine.leaveMeters)
    var probing = before
    let isSuspicious =
      sway.map { $0.isActive || $0.isSuspicious } ?? (reading.accelerometer != .watching)
    if isSuspicious {
      probing = probing ?? reading.end
    } else if let start = probing, reading.end - start > RestMachine.probe {
      probing = nil
    }
    if let reason = reasonToMove(sway, speed) {
      state = .moving(creditSeconds: 0)
      displacement.restart()
      return reason
    }
    state = .stationary(probing: probing)
    return nil
  }

  private func reasonToMove(
    _ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?
  ) -> MotionVerdict.Reason? {
    // Two solutions report motion, or one does while the accelerometer shows activity.
    let isSwaySuspicious = sway?.isSuspicious == true
    if speed?.isSudden == true || rising.lasts(RestMachine.risingHopsMax)
      || rising.isOn && isSwaySuspicious
    {
      return .speed
    }
    if displacement.beyondCount >= 2 { return .displacement }
    if blindHops >= RestMachine.blindHopsMax { return .blind }
    let isDenied = speed?.denies == true
    let isShaken =
      RestMachine.isSet(profile.activeHops, of: isDenied ? farActivity : activity)
      || RestMachine.isSet(profile.contradictedHops, of: activity)
    return isShaken ? .shaken : nil
  }

  /// Whether the bits of the last hops are all 1.
  private static func isSet(_ hops: Int, of bits: UInt64) -> Bool {
    let mask = UInt64(1) << UInt64(hops) - 1
    return bits & mask == mask
  }

  private mutating func keepEvidence(_ reading: MotionReading, _ speed: SolutionJudgement?) {
    let isMeasured: Bool =
      switch reading.accelerometer {
      case .measured, .watching: true
      case .unusable: false
      }
    verdict.evidence.sources =
      switch (isMeasured, reading.solution != nil) {
      case (true, true): .both
      case (true, false): .accelerometer
      case (false, true): .receiver
      case (false, false): .none
      }
    verdict.evidence.accelerometer = reading.accelerometer
    verdict.evidence.speed = speed?.speed
    verdict.evidence.speedAccuracy =
      speed == nil ? nil : reading.solution?.speedAccuracy
    verdict.evidence.displacementMeters = displacement.meters
    verdict.evidence.displacementLimitMeters = displacement.limitMeters
    switch state {
    case .moving(let credit): verdict.evidence.creditSeconds = credit
    case .stationary: verdict.evidence.creditSeconds = dwellSeconds
    }
  }
}
