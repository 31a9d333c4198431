public import BinnacleBasics

/// Decides whether the board rests: a credit that fills while it is quiet, and witnesses that end a rest.
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
  /// One bit a hop, the newest lowest: 1 where the accelerometer was active.
  private var activity: UInt64 = 0
  /// The same for hops far above the threshold.
  private var farActivity: UInt64 = 0
  private var restSpeed = RestSpeed()
  private var fast = Streak()
  private var rising = Streak()
  /// Whether the speed of the newest solution is that of a board that begins to move.
  private var isSpeedInDoubt = false
  private var blindHops = 0
  private var falseAlarms = FalseAlarms()
  public private(set) var verdict: MotionVerdict

  /// Hops in a row in which the receiver's speed said something, and the solutions that said it: one alone counts for
  /// as long as there is no other.
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

  /// Where the machine stands.
  private enum State: Equatable, Codable, Sendable {
    /// Can go to `stationary`.
    case moving(creditSeconds: Double)
    /// Can go to `moving`. A receiver that sleeps is wanted from `probing` on, after the first suspicion.
    case stationary(probing: Instant?)
  }

  private static let hopSeconds = MotionWindow.hop.seconds
  /// Hops of a fast receiver that empty the credit.
  private static let fastHopsMax = 4
  /// Hops of a slowly rising speed that end a rest.
  private static let risingHopsMax = 3
  /// Under a poor sky one solution in a minute is wrong by meters per second and sure of itself.
  private static let solutionsMin = 2
  /// Hops without any witness that end a rest, and empty the credit: 10 s, more than a hot start takes.
  private static let blindHopsMax = 40
  /// How long a receiver is wanted from a suspicion on; while something stirs, longer.
  private static let probe = Interval.seconds(20)
  /// As far as a resting receiver wanders under a fair sky.
  private static let wanderMeters = 15.0
  /// Farther than a resting receiver jumps.
  private static let leaveMeters = 25.0

  /// - Parameters:
  ///   - profile: how readily a rest ends.
  ///   - dwell: how long it must have been quiet; 0 gives the bare verdict.
  ///   - start: when the machine begins; the verdict is "moving" until there is evidence.
  public init(profile: MotionProfile = .standard, dwell: Interval, at start: Instant) {
    self.profile = profile
    dwellSeconds = max(dwell.seconds, 0)
    verdict = MotionVerdict(
      isStationary: false, since: start, reason: .start,
      evidence: MotionEvidence(
        sources: .none, accelerometer: .unusable(.absent), speed: nil, displacementMeters: 0,
        creditSeconds: 0, dwellSeconds: dwellSeconds))
  }

  /// One whose dwell is filled, because the board rested there before; the next hop tells whether it still does.
  ///
  /// - Parameters:
  ///   - profile: how readily a rest ends.
  ///   - dwell: how long it had been quiet.
  ///   - place: where it rested.
  ///   - start: when the machine begins; the verdict is "moving" until a hop has been judged.
  public init(
    profile: MotionProfile, dwell: Interval, restedAt place: SolutionReading.Place,
    at start: Instant
  ) {
    self.init(profile: profile, dwell: dwell, at: start)
    state = .moving(creditSeconds: dwellSeconds)
    displacement = Displacement(from: place)
  }

  /// Whether a sleeping receiver should be asked: something stirs, or the accelerometer is no use.
  public var wantsReceiver: Bool {
    switch state {
    case .moving: true
    case .stationary(let probing): probing != nil
    }
  }

  /// Whether the newest solution contradicts the rest, by its place or its speed, or there is no witness; the next hops decide
  /// whether the rest is over.
  public var isDoubted: Bool { displacement.beyondCount > 0 || isSpeedInDoubt || blindHops > 0 }

  /// Takes a reading; true when the verdict has changed.
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
    blindHops = isBlind ? min(blindHops + 1, RestMachine.blindHopsMax) : 0
    let reason: MotionVerdict.Reason?
    switch state {
    case .moving(let credit): reason = hopWhileMoving(reading, sway, speed, credit)
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

  /// Takes a solution as soon as it is there; true when the verdict has changed.
  ///
  /// One that moves for sure, or the second one far away, ends a rest before its hop has ended: so it is not told as one of a
  /// rest, and a receiver that is awake for three solutions has told with the second one, however soon the third comes.
  public mutating func solutionArrived(_ reading: SolutionReading, at now: Instant) -> Bool {
    guard case .stationary = state, let sound = reading.sound else { return false }
    blindHops = 0
    if displacement.isNext(now) {
      displacement.solutionArrived(
        sound.place, at: now, leastLimitMeters: RestMachine.leaveMeters)
    }
    let speed = SolutionJudgement(sound, restSpeed: restSpeed.metersPerSecond)
    isSpeedInDoubt = speed?.isRising == true
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

  private mutating func forgetStreaks() {
    (activity, farActivity, blindHops) = (0, 0, 0)
    (fast, rising, isSpeedInDoubt) = (Streak(), Streak(), false)
  }

  /// Judges a speed, and learns from it while the dwell fills.
  private mutating func learnedJudgement(of solution: SolutionReading?) -> SolutionJudgement? {
    if case .moving(let credit) = state {
      if credit == 0 { restSpeed.forget() }
      // A speed that allows no rest is none of a board that rests.
      if let speed = SolutionJudgement(solution), speed.allowsRest {
        restSpeed.hopEnded(speed.speed)
      }
    }
    return SolutionJudgement(solution, restSpeed: restSpeed.metersPerSecond)
  }

  /// A reading as this place has it: what was learned of it does not end a rest.
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
    _ before: Double
  ) -> MotionVerdict.Reason? {
    displacement.solutionArrived(
      reading.solution?.place, at: reading.solutionInstant,
      leastLimitMeters: RestMachine.wanderMeters)
    var credit = before + creditChange(sway, speed, hasPlace: reading.solution?.place != nil)
    let isLeft = fast.lasts(RestMachine.fastHopsMax) || displacement.beyondCount > 0
    if isLeft || blindHops >= RestMachine.blindHopsMax { credit = 0 }
    credit = min(max(credit, 0), dwellSeconds)
    if credit == 0, before == 0 || displacement.beyondCount > 0 {
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

  /// The seconds that a hop adds to the credit, or takes from it.
  private func creditChange(
    _ sway: AccelerometerReading.Sway?, _ speed: SolutionJudgement?, hasPlace: Bool
  ) -> Double {
    let hop = RestMachine.hopSeconds
    switch (sway, speed) {
    case (let sway?, let speed?) where !sway.isActive: return speed.allowsRest ? hop : 0
    case (.some, let speed?):
      // The board shakes, the receiver says how fast it goes: a car that idles, or people in it.
      return speed.vouches ? hop : -2 * hop
    case (let sway?, nil): return sway.isActive ? -3 * hop : hop
    case (nil, let speed?): return speed.isSlow ? hop : speed.allowsRest ? 0 : -2 * hop
    // A place without a speed, and no accelerometer: staying within the limit is all there is.
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
    let isStirred = sway?.isSuspicious == true
    if speed?.isSudden == true || rising.lasts(RestMachine.risingHopsMax)
      || rising.isOn && isStirred
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

  /// Whether the bits of the last hops are all set.
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
