import Accelerometers
import BinnacleBasics
import BinnacleModel
import Motion

/// Whether the board rests, decided separately for every dwell that a sequence needs.
///
/// The data of accelerometer and receiver for one instant arrive at different times: a chip's buffer is read up to a
/// second after its oldest sample. A hop is therefore judged when samples after the hop have arrived. Without samples,
/// a hop is judged by the clock. While updates pause, samples are read more rarely, or the chip detects movement by
/// itself.
struct RestWatch: Equatable, Codable, Sendable {
  /// How samples are delivered.
  enum Sampling: Equatable, Codable, Sendable {
    /// About twice a second.
    case often
    /// In bursts: several quiet bursts at once, a burst with movement immediately.
    case seldom
    /// Not at all: the chip reports movement.
    case onMovement

    /// Samples older than this are no longer expected.
    fileprivate var patience: Interval {
      switch self {
      case .often: .milliseconds(1_500)
      case .seldom: .seconds(12)
      case .onMovement: .zero
      }
    }
  }

  /// A rest ends after ten seconds without accelerometer and receiver; a fix counts for three more.
  private static let silenceMax = Interval.milliseconds(13_500)
  /// A fix less accurate than this does not show whether the board is at its old place.
  private static let sureMeters = 50.0
  /// The time until silence is checked again.
  private static let pause = Interval.seconds(1)

  private enum ReceiverSight: Equatable, Codable, Sendable {
    case there
    /// The receiver sleeps, and the accelerometer is watched.
    case away
    /// The receiver sleeps, there is no accelerometer, and nothing is judged.
    case awayUnwatched
  }

  struct Rest: Equatable, Codable, Sendable {
    let dwell: Interval
    var machine: RestMachine
    /// The place of a rest before the daemon's start; the first fix shows whether the board is still there.
    var spot: RestSpot?
    /// Whether this rest continues an earlier one at the same place.
    var isOlder = false
    /// Since when a part of the dwell is filled.
    var fillsSince: Instant?
    /// The reason and the time of the end of the last rest.
    var ending: Ending?
  }

  struct Ending: Equatable, Codable, Sendable {
    let reason: MotionVerdict.Reason
    let at: Instant
  }

  private let profile: MotionProfile
  private var window = MotionWindow()
  private(set) var rests: [Rest] = []
  private var sampling = Sampling.often
  private var newestSample: Instant?
  /// When the last samples came, or the way of delivery changed.
  private var newestTold: Instant?
  private var newestHeard: Instant?
  private var receiver = ReceiverSight.there
  /// When silence was last checked.
  private var checkedAt = Instant.zero
  private var passing = PassedByAddress()

  init(_ profile: MotionProfile) {
    self.profile = profile
  }

  // MARK: Inputs

  /// A dwell that a sequence needs.
  struct WantedDwell: Equatable, Sendable {
    let dwell: Interval
    /// The place at which the board had rested for the dwell when it was last checked.
    var spot: RestSpot?
  }

  /// The dwells that sequences need from now on; the state of a dwell that is still needed is kept.
  mutating func dwellsWanted(_ dwells: [WantedDwell], at now: Instant) {
    rests.removeAll { rest in !dwells.contains { $0.dwell == rest.dwell } }
    for wanted in dwells where !rests.contains(where: { $0.dwell == wanted.dwell }) {
      let machine = RestMachine(profile: profile, dwell: wanted.dwell, at: now)
      rests.append(Rest(dwell: wanted.dwell, machine: machine, spot: wanted.spot))
    }
  }

  /// Takes samples; returns true if a verdict has changed, as all inputs do.
  mutating func samplesArrived(
    _ batch: AccelerationBatch, showsNoise: Bool = true, at now: Instant
  ) -> Bool {
    var isChanged = false
    for index in 0..<batch.count {
      let instant = batch.instant(of: index)
      // A chip's clock runs a little fast or slow; samples after the time of the read are ignored.
      guard instant <= now else { break }
      isChanged = judge(before: instant) || isChanged
      let sample = batch[index]
      window.accelerationMeasured(
        x: sample.x, y: sample.y, z: sample.z, isSaturated: index < batch.saturatedCount,
        showsNoise: showsNoise, at: instant)
      newestSample = instant
    }
    if batch.count > 0 { newestTold = now }
    newestHeard = now
    return isChanged
  }

  /// Samples are delivered in another way from now on.
  mutating func samplingChanged(to sampling: Sampling, at now: Instant) -> Bool {
    guard sampling != self.sampling else { return false }
    // The time until now is judged for the earlier sampling.
    let isJudged = self.sampling != .often && receiver != .awayUnwatched
    let isChanged = isJudged && judge(before: now)
    self.sampling = sampling
    newestTold = now
    newestHeard = now
    return isChanged
  }

  /// Takes a judged fix; returns true if a verdict, or a doubt about a rest, has changed.
  mutating func fixJudged(_ fix: Fix, at now: Instant) -> Bool {
    var isChanged = timePassed(to: now)
    let solution = SolutionReading(fix)
    window.solutionMeasured(solution, at: now)
    for index in rests.indices {
      let wasDoubted = rests[index].machine.isDoubted
      isChanged = rests[index].machine.solutionArrived(solution, at: now) || isChanged
      isChanged = isChanged || rests[index].machine.isDoubted != wasDoubted
    }
    newestHeard = now
    for index in rests.indices {
      guard let spot = rests[index].spot else { continue }
      rests[index].spot = nil
      let isSure = (0...RestWatch.sureMeters).contains(fix.horizontalAccuracy)
      if isSure, rests[index].goOn(at: spot, solution, profile, at: now) {
        isChanged = true
      } else if rests[index].machine.verdict.isStationary {
        // The accelerometer has filled the dwell, and the board rests elsewhere: the dwell begins with this fix.
        rests[index].machine = RestMachine(profile: profile, dwell: rests[index].dwell, at: now)
        rests[index].fillsSince = nil
        isChanged = true
      }
    }
    return isChanged
  }

  /// The receiver falls asleep or wakes up.
  ///
  /// Without an accelerometer nothing is judged while the receiver sleeps: the board counts as resting until the
  /// receiver is on again.
  mutating func receiverSeen(isAway: Bool, at now: Instant) {
    switch (receiver, isAway) {
    case (.there, false), (.away, true), (.awayUnwatched, true): return
    case (.there, true): receiver = hasMotionSensor(at: now) ? .away : .awayUnwatched
    case (.away, false): receiver = .there
    case (.awayUnwatched, false):
      receiver = .there
      window = MotionWindow()
      newestHeard = now
    }
  }

  /// The accelerometer is lost: a board whose receiver sleeps counts as resting until the receiver has checked.
  mutating func accelerometerLost() {
    if receiver == .away { receiver = .awayUnwatched }
  }

  mutating func timePassed(to now: Instant) -> Bool {
    checkedAt = now
    if receiver == .awayUnwatched { return false }
    if let newestSample, now - newestSample <= sampling.patience { return false }
    return judge(before: now)
  }

  private mutating func judge(before end: Instant) -> Bool {
    var isChanged = false
    while var reading = window.nextReading(before: end) {
      if isVouchedFor(at: reading.end) {
        reading.accelerometer = reading.accelerometer.vouchedFor
      }
      if receiver == .awayUnwatched {
        // Nothing checks the board now, so the rest continues.
        guard case .measured = reading.accelerometer else { continue }
        receiver = .away
      }
      for index in rests.indices {
        isChanged = rests[index].hopEnded(reading) || isChanged
      }
    }
    return isChanged
  }

  /// Whether a lack of samples means that the board does not move.
  ///
  /// Even rare bursts are delivered in time, unless their reader hangs.
  private func isVouchedFor(at now: Instant) -> Bool {
    switch sampling {
    case .often: false
    case .seldom: newestTold.map { now - $0 <= sampling.patience } ?? false
    case .onMovement: true
    }
  }

  // MARK: Answers

  /// Whether an accelerometer detects motion.
  func hasMotionSensor(at now: Instant) -> Bool {
    if receiver == .awayUnwatched || isUseless { return false }
    return isVouchedFor(at: now)
      || newestSample.map { now - $0 <= RestWatch.silenceMax } ?? false
  }

  /// The accelerometer's axes whose value never changes while the board moves.
  var deadAxes: [AccelerometerAxis] { window.deadAxes }

  /// Whether the samples carry no information, or none yet.
  private var isUseless: Bool {
    switch rests.first?.machine.verdict.evidence.accelerometer {
    case .unusable(.frozen), .unusable(.damaged), .unusable(.saturated), .unusable(.starting):
      true
    case .unusable(.absent), .unusable(.silent), .measured, .watching, nil: false
    }
  }

  /// Whether the rest continues while the receiver sleeps and no accelerometer detects motion.
  var isUnwatched: Bool { receiver == .awayUnwatched }

  /// Whether there is a sign of motion: motion itself, or, at rest, a movement that may become motion.
  var isMotionSuspected: Bool {
    rests.contains { rest in
      guard case .measured(let sway) = rest.machine.verdict.evidence.accelerometer else {
        return false
      }
      return rest.machine.verdict.isStationary ? rest.machine.wantsReceiver : sway.isActive
    }
  }

  /// Whether the newest rare burst shows a movement that may become motion, or a chip that fails.
  var suspectsMotion: Bool {
    guard sampling == .seldom,
      case .measured(let sway) = rests.first?.machine.verdict.evidence.accelerometer
    else { return false }
    return sway.isActive || sway.isSuspicious || window.isSuspicious
  }

  /// The state of a dwell; nil for a dwell that no sequence needs.
  func verdict(dwell: Interval) -> MotionVerdict? {
    rests.first { $0.dwell == dwell }?.machine.verdict
  }

  /// Whether the board rests for a dwell, from a sequence's point of view.
  ///
  /// - Parameters:
  ///   - dwell: how long the board must have rested.
  ///   - isPaused: whether the sequence pauses. For a sequence that does not pause, a rest in doubt is no rest.
  /// - Returns: false also for a dwell that no sequence has.
  func isResting(dwell: Interval, isPaused: Bool) -> Bool {
    guard let rest = rests.first(where: { $0.dwell == dwell }) else { return false }
    return rest.machine.verdict.isStationary && (isPaused || !rest.machine.isDoubted)
  }

  /// When silence must be checked: a rest without evidence ends.
  var nextDeadline: Instant? {
    guard receiver != .awayUnwatched, sampling != .onMovement, let newestHeard,
      rests.contains(where: { $0.machine.verdict.isStationary })
    else { return nil }
    return max(newestHeard + RestWatch.silenceMax, checkedAt + RestWatch.pause)
  }
}

extension AccelerometerReading {
  /// The reading of a chip that reports movement only, for which a lack of samples is normal.
  fileprivate var vouchedFor: AccelerometerReading {
    switch self {
    case .unusable(.absent), .unusable(.starting), .unusable(.silent): .watching
    case .unusable(.frozen), .unusable(.damaged), .unusable(.saturated), .measured, .watching:
      self
    }
  }
}

extension RestWatch.Rest {
  /// Takes a hop; returns true if the verdict, or a doubt about the rest, has changed.
  fileprivate mutating func hopEnded(_ reading: MotionReading) -> Bool {
    let wasDoubted = machine.isDoubted
    let isChanged = machine.hopEnded(reading)
    if isChanged, !machine.verdict.isStationary {
      ending = RestWatch.Ending(reason: machine.verdict.reason, at: reading.end)
      isOlder = false
    }
    fillsSince =
      machine.verdict.evidence.creditSeconds > 0 ? fillsSince ?? reading.end : nil
    return isChanged || machine.isDoubted != wasDoubted
  }

  /// Decides by one solution and the accelerometer's state whether an earlier rest continues.
  fileprivate mutating func goOn(
    at spot: RestSpot, _ solution: SolutionReading, _ profile: MotionProfile, at now: Instant
  ) -> Bool {
    // A board that is shaken has not stayed at its place.
    if case .measured(let sway) = machine.verdict.evidence.accelerometer, sway.isActive {
      return false
    }
    var older = RestMachine(profile: profile, dwell: dwell, restedAt: spot.place, at: now)
    let reading = MotionReading(
      end: now, accelerometer: machine.verdict.evidence.accelerometer, solution: solution,
      solutionInstant: now)
    guard older.hopEnded(reading), !older.solutionArrived(solution, at: now) else { return false }
    machine = older
    isOlder = true
    fillsSince = fillsSince ?? now
    return true
  }
}

extension SolutionReading {
  /// The motion of a judged fix; unknown values are left out.
  fileprivate init(_ fix: Fix) {
    self.init(
      speed: fix.speed >= 0 ? fix.speed : nil,
      speedAccuracy: fix.speedAccuracy >= 0 ? fix.speedAccuracy : nil,
      place: fix.horizontalAccuracy >= 0
        ? Place(
          latitude: fix.latitude, longitude: fix.longitude,
          accuracyMeters: fix.horizontalAccuracy) : nil)
  }
}
