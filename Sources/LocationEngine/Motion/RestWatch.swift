import Accelerometers
import BinnacleBasics
import BinnacleModel
import Motion

/// Whether the board rests, once for every dwell that somebody waits for.
///
/// Accelerometer and receiver tell it of the same time at different times: a chip's buffer is read up to a second after
/// its oldest sample. So a hop is judged when the samples have got past it, and by the clock only
/// where no samples come. While updates pause they are read more seldom, or the chip looks for movement by itself.
struct RestWatch: Equatable, Codable, Sendable {
  /// How samples come.
  enum Sampling: Equatable, Codable, Sendable {
    /// Twice a second or so.
    case often
    /// By bursts in which nothing stirs, several at once; others at once.
    case seldom
    /// Not at all: the chip tells of movement.
    case onMovement

    /// Samples that are older than this do not come any more.
    fileprivate var patience: Interval {
      switch self {
      case .often: .milliseconds(1_500)
      case .seldom: .seconds(12)
      case .onMovement: .zero
      }
    }
  }

  /// A rest is ended after ten seconds without either witness; a fix counts for three more.
  private static let silenceMax = Interval.milliseconds(13_500)
  /// A fix that is less sure than this does not tell whether the board is where it was.
  private static let sureMeters = 50.0
  /// How soon silence is looked at again.
  private static let pause = Interval.seconds(1)

  private enum ReceiverSight: Equatable, Codable, Sendable {
    case there
    /// It sleeps, and the accelerometer is watched.
    case away
    /// It sleeps, there is no accelerometer, and nothing is judged.
    case awayUnwatched
  }

  struct Rest: Equatable, Codable, Sendable {
    let dwell: Interval
    var machine: RestMachine
    /// Where the board rested before anybody looked; the first fix tells whether it still does.
    var spot: RestSpot?
    /// Whether this rest is one that began before, at a spot that was found again.
    var isOlder = false
    /// Since when a part of the dwell is filled.
    var fillsSince: Instant?
    /// What ended the last rest.
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
  /// When samples came last, or began to come in another way.
  private var newestTold: Instant?
  private var newestHeard: Instant?
  private var receiver = ReceiverSight.there
  /// When silence was looked at last.
  private var lookedAt = Instant.zero

  init(_ profile: MotionProfile) {
    self.profile = profile
  }

  // MARK: Inputs

  /// A dwell that somebody waits for.
  struct WantedDwell: Equatable, Sendable {
    let dwell: Interval
    /// Where the board had rested for it when it was looked at last.
    var spot: RestSpot?
  }

  /// These dwells are waited for from now on; what is judged for those that stay goes on.
  mutating func dwellsWanted(_ dwells: [WantedDwell], at now: Instant) {
    rests.removeAll { rest in !dwells.contains { $0.dwell == rest.dwell } }
    for wanted in dwells where !rests.contains(where: { $0.dwell == wanted.dwell }) {
      let machine = RestMachine(profile: profile, dwell: wanted.dwell, at: now)
      rests.append(Rest(dwell: wanted.dwell, machine: machine, spot: wanted.spot))
    }
  }

  /// True when a verdict has changed; so with all inputs.
  mutating func samplesArrived(
    _ batch: AccelerationBatch, showsNoise: Bool = true, at now: Instant
  ) -> Bool {
    var isChanged = false
    for index in 0..<batch.count {
      let instant = batch.instant(of: index)
      // A chip's clock runs a little fast or slow; nothing was measured after it was read.
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

  /// Samples come in another way from now on.
  mutating func samplingChanged(to sampling: Sampling, at now: Instant) -> Bool {
    guard sampling != self.sampling else { return false }
    // What has been before is judged by how it was.
    let isJudged = self.sampling != .often && receiver != .awayUnwatched
    let isChanged = isJudged && judge(before: now)
    self.sampling = sampling
    newestTold = now
    newestHeard = now
    return isChanged
  }

  /// True when a verdict, or a doubt about a rest, has changed.
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

  /// The receiver sleeps, or does not any more.
  ///
  /// Where no accelerometer tells of motion, nothing is judged meanwhile: a board that nobody looks at rests on, until one does.
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

  /// The accelerometer is of no use any more: a board whose receiver sleeps rests on until that has had a look.
  mutating func accelerometerLost() {
    if receiver == .away { receiver = .awayUnwatched }
  }

  mutating func timePassed(to now: Instant) -> Bool {
    lookedAt = now
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
        // Nobody looks: the board rests on until somebody does.
        guard case .measured = reading.accelerometer else { continue }
        receiver = .away
      }
      for index in rests.indices {
        isChanged = rests[index].hopEnded(reading) || isChanged
      }
    }
    return isChanged
  }

  /// Whether silence says that nothing stirs: what comes seldom is told in time all the same, or who reads it hangs.
  private func isVouchedFor(at now: Instant) -> Bool {
    switch sampling {
    case .often: false
    case .seldom: newestTold.map { now - $0 <= sampling.patience } ?? false
    case .onMovement: true
    }
  }

  // MARK: Answers

  /// Whether an accelerometer tells of motion.
  func hasMotionSensor(at now: Instant) -> Bool {
    if receiver == .awayUnwatched || isUseless { return false }
    return isVouchedFor(at: now)
      || newestSample.map { now - $0 <= RestWatch.silenceMax } ?? false
  }

  /// The accelerometer's axes that keep one number while the board moves.
  var deadAxes: [AccelerometerAxis] { window.deadAxes }

  /// Whether samples come that say nothing, or nothing yet.
  private var isUseless: Bool {
    switch rests.first?.machine.verdict.evidence.accelerometer {
    case .unusable(.frozen), .unusable(.damaged), .unusable(.saturated), .unusable(.starting):
      true
    case .unusable(.absent), .unusable(.silent), .measured, .watching, nil: false
    }
  }

  /// Whether the board rests on while the receiver sleeps and no accelerometer is there to tell of motion.
  var isUnwatched: Bool { receiver == .awayUnwatched }

  /// Whether it tells of something now: motion, or while the board rests, what may become one.
  var isMotionSuspected: Bool {
    rests.contains { rest in
      guard case .measured(let sway) = rest.machine.verdict.evidence.accelerometer else {
        return false
      }
      return rest.machine.verdict.isStationary ? rest.machine.wantsReceiver : sway.isActive
    }
  }

  /// Whether the newest samples that came seldom show what may become motion, or a chip that fails.
  var suspectsMotion: Bool {
    guard sampling == .seldom,
      case .measured(let sway) = rests.first?.machine.verdict.evidence.accelerometer
    else { return false }
    return sway.isActive || sway.isSuspicious || window.isSuspicious
  }

  /// What is known for a dwell; nil for one that nobody waits for.
  func verdict(dwell: Interval) -> MotionVerdict? {
    rests.first { $0.dwell == dwell }?.machine.verdict
  }

  /// Whether the board rests for a dwell, as far as a sequence is concerned.
  ///
  /// - Parameters:
  ///   - dwell: how long the board must have rested.
  ///   - isPaused: whether the sequence pauses. A sequence that does not pause is not told of a rest in doubt.
  /// - Returns: false, too, for a dwell that no sequence has.
  func isResting(dwell: Interval, isPaused: Bool) -> Bool {
    guard let rest = rests.first(where: { $0.dwell == dwell }) else { return false }
    return rest.machine.verdict.isStationary && (isPaused || !rest.machine.isDoubted)
  }

  /// When silence has to be looked at: a rest that nobody vouches for any more ends.
  var nextDeadline: Instant? {
    guard receiver != .awayUnwatched, sampling != .onMovement, let newestHeard,
      rests.contains(where: { $0.machine.verdict.isStationary })
    else { return nil }
    return max(newestHeard + RestWatch.silenceMax, lookedAt + RestWatch.pause)
  }
}

extension AccelerometerReading {
  /// Where no samples are told because nothing stirs, their silence is none.
  fileprivate var vouchedFor: AccelerometerReading {
    switch self {
    case .unusable(.absent), .unusable(.starting), .unusable(.silent): .watching
    case .unusable(.frozen), .unusable(.damaged), .unusable(.saturated), .measured, .watching:
      self
    }
  }
}

extension RestWatch.Rest {
  /// True when the verdict, or a doubt about the rest, has changed.
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

  /// Judges with one solution, and what the accelerometer says now, whether a rest that began before goes on.
  fileprivate mutating func goOn(
    at spot: RestSpot, _ solution: SolutionReading, _ profile: MotionProfile, at now: Instant
  ) -> Bool {
    // A board that is shaken is not taken to rest where it did.
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
  /// What a judged fix says of motion; what it does not know is left out.
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
