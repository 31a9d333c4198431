import BinnacleBasics

/// Checks that pauses begin and end with the body's rests; the reference is the body, not the receiver.
struct RestLedger: Sendable {
  /// A sequence that pauses.
  struct Pauser: Sendable {
    var name: String
    /// The instant at which the sequence got the pause.
    var pausedAt: Instant
  }

  /// A pause during which the body departed.
  private struct Outing: Sendable {
    var name: String
    var pausedAt: Instant
    var start: Instant
    /// The last instant at which a check by the receiver would have found the body at rest near the place of the pause.
    var seenAt: Instant
    /// The time since which the body has been fast enough for any receiver that is awake.
    var fastAt: Instant?

    init(_ pauser: Pauser, at now: Instant) {
      (name, pausedAt) = (pauser.name, pauser.pausedAt)
      (start, seenAt) = (now, now)
    }
  }

  /// A slower body counts as resting, because no receiver can distinguish slow motion from rest at once.
  ///
  /// On a board without an accelerometer, the receiver may report rest up to 0.5 m/s (`MOTION.md`, "What the receiver's
  /// speed says").
  private static let restSpeed = 0.3
  private static let aloneRestSpeed = 0.55
  /// A pause may begin this long after the departure: a solution counts for three seconds, and arrives late.
  private static let departureMax = Interval.seconds(4)
  /// The part of a dwell that may precede the standstill, while the body rolls to a stop.
  private static let rollingMax = Interval.seconds(2)
  /// The longest pause after a departure, with an accelerometer.
  ///
  /// The sum of bursts 1.25 s apart, two seconds until the detector reports motion, five seconds until a missing
  /// position is noticed, and late timers.
  private static let feltMax = Interval.seconds(12)
  /// The longest pause after a departure, with an accelerometer that sends nothing.
  ///
  /// The sum of twelve seconds until missing rare bursts are noticed, ten until a rest without samples ends, three for
  /// the receiver's earlier solution, and five until a missing position is noticed.
  private static let blindMax = Interval.seconds(35)
  /// The checks by a receiver without an accelerometer: the earliest start, and the latest delivery of the result.
  ///
  /// The receiver sleeps 3 s after the last pause. It checks after 1, 2 and 5 minutes for 10 s. A first wakeup, which
  /// tests that the receiver wakes, may delay the first check by half a minute. A missing position is noticed after
  /// five seconds.
  private static let checks: [(least: Interval, most: Interval)] = [
    (.seconds(60), .seconds(115)), (.seconds(184), .seconds(250)), (.seconds(484), .seconds(570)),
  ]
  /// The distance from its old place at which a receiver may report rest, and the greatest speed at rest.
  private static let nearMeters = 60.0
  private static let slowSpeed = 1.0
  /// The time until a read of the identity register detects a missing chip that was armed for motion.
  private static let identityMax = Interval.seconds(62)
  private static let step = Interval.milliseconds(250)

  /// The sway below which the detector measures rest with its smallest threshold.
  ///
  /// That threshold is 5 mg, the spread of 2 s of steady sway varies by a quarter (`MOTION.md`, "What it is measured
  /// against"), and a chip adds noise of 0.7 mg.
  private static let calmMilliG = 3.9

  /// A time without a fix, after which the position did not show that the body had moved.
  private struct BlindTime: Sendable {
    var start: Instant
    var end: Instant
  }

  /// A gap between fixes is blind time if it is longer than the validity of a solution.
  private static let validMax = Interval.seconds(3)
  /// The detector clears the credit after a validity and ten seconds without a measurement; timers may be late.
  private static let blindTimeMax = Interval.seconds(14)
  /// The detector's limit of the distance between two positions with a perfect accuracy.
  private static let elsewhereMeters = 15.0

  private let world: World
  private let plan: RestPlan
  /// The time and the accuracy of the newest fix.
  private var newestFix: (measuredAt: Instant, accuracyMeters: Double)?
  private var blindTimes: [BlindTime] = []
  /// The movement of the surface that carries the accelerometer; nil: there is no accelerometer.
  private var sway: BodySway?
  private var checkedAt = Instant.zero
  private var outings: [Outing] = []
  /// The instants at which the receiver fell asleep.
  private var sleeps: [Instant] = []
  private var isAsleep = false
  /// The last instant at which the receiver was awake for another purpose than a check.
  private var awakeAt: Instant?

  init(_ world: World, _ plan: RestPlan, felt: FeltMotion? = nil) {
    self.world = world
    self.plan = plan
    sway = felt.map(BodySway.init)
  }

  /// Whether an accelerometer may detect motion with a threshold that it has not adapted to the board.
  ///
  /// A board that rested before a power cut is then not reported at rest with its first position (`APPS.md`, "When
  /// updates paused"). An idling engine may shake the board by 1.5 to 5.4 mg. A faulty chip may detect the motion
  /// between its faults.
  mutating func isShaken(at now: Instant) -> Bool {
    sway?.greatestMilliG(by: now) ?? 0 > Self.calmMilliG
  }

  private func isResting(at now: Instant) -> Bool {
    world.isAtRest(at: now)
      || world.motion(at: now).speed < (isFelt(at: now) ? Self.restSpeed : Self.aloneRestSpeed)
  }

  private func isFelt(at now: Instant) -> Bool {
    plan.reading != nil && plan.trouble(from: now - Self.feltMax, to: now) == nil
  }

  /// Whether the body moves at any speed.
  private func isMoved(at now: Instant) -> Bool {
    now > world.departure && !world.isAtRest(at: now)
  }

  /// Notes a fix for any app.
  ///
  /// A board without an accelerometer cannot detect a movement that begins and ends between two fixes, except by their
  /// distance. The credit of rest stays constant meanwhile (`MOTION.md`, "From hops to a verdict").
  mutating func fixDelivered(accuracyMeters: Double, measuredAt: Instant) {
    defer { newestFix = (measuredAt, accuracyMeters) }
    guard let before = newestFix else { return }
    let gap = measuredAt - before.measuredAt
    guard gap > Self.validMax, gap <= Self.blindTimeMax else { return }
    // Each position errs by up to its accuracy, so the true distance may be twice the limit.
    let limit = max(Self.elsewhereMeters, 2 * max(accuracyMeters, before.accuracyMeters))
    if distance(from: before.measuredAt, to: measuredAt) <= 2 * limit {
      blindTimes.append(BlindTime(start: before.measuredAt, end: measuredAt))
    }
  }

  private func distance(from start: Instant, to end: Instant) -> Double {
    let (spot, here) = (world.motion(at: start), world.motion(at: end))
    return Ellipsoid.distance(
      from: (spot.latitude, spot.longitude), to: (here.latitude, here.longitude))
  }

  /// Whether a movement at this instant may stay undetected, because no sensor measures.
  private func isUnseen(at now: Instant) -> Bool {
    !isFelt(at: now) && blindTimes.contains { $0.start <= now && now <= $0.end }
  }

  /// Returns the violation of a pause that begins.
  ///
  /// - Parameters:
  ///   - dwell: the time for which the body must have rested.
  ///   - isReturn: whether the pause continues a pause from before the loss of the position, the app or the power. The
  ///     body's movement in between may stay unknown.
  ///   - now: the instant at which the app gets the pause.
  /// - Returns: nil when the pause is right.
  func began(dwell: Interval, isReturn: Bool, at now: Instant) -> String? {
    var end = now
    while !isResting(at: end) {
      if end == .zero || now - end > Self.departureMax {
        return "stationary, while it moves at \(world.motion(at: now).speed) m/s"
      }
      end = max(end - Self.step, .zero)
    }
    if isReturn { return nil }
    var start = end
    while start > .zero, now - start < dwell {
      let earlier = max(start - Self.step, .zero)
      guard isResting(at: earlier) || isUnseen(at: earlier) else { break }
      start = earlier
    }
    return now - start < dwell - Self.rollingMax
      ? "stationary \((now - start).seconds) s after it stopped" : nil
  }

  /// Returns the violation of a pause that lasts too long after its departure, even if the body has stopped again.
  mutating func overdue(
    _ pausers: @autoclosure () -> [Pauser], isReceiverNeeded: Bool, isReceiverAsleep: Bool,
    at now: Instant
  ) -> String? {
    if isReceiverNeeded, outings.isEmpty { awakeAt = now }
    if isReceiverAsleep, !isAsleep { sleeps.append(now) }
    isAsleep = isReceiverAsleep
    guard now - checkedAt >= Self.step else { return nil }
    checkedAt = now
    let isMoved = isMoved(at: now)
    if !isMoved, outings.isEmpty { return nil }
    let before = outings
    outings = pausers().compactMap { pauser in
      let known = before.first { $0.name == pauser.name && $0.pausedAt == pauser.pausedAt }
      guard var outing = known ?? (isMoved ? Outing(pauser, at: now) : nil) else { return nil }
      if isSeen(outing, at: now) { outing.seenAt = now }
      if outing.fastAt == nil, world.motion(at: now).speed >= Self.slowSpeed {
        outing.fastAt = now
      }
      return outing
    }
    return outings.first { due($0, at: now).map { now > $0 } ?? false }.map { outing in
      "\(outing.name) pauses \((now - outing.start).seconds) s after the board set out"
    }
  }

  /// Notes a restart of the receiver by itself, as after a dip of its supply.
  ///
  /// The receiver is awake after the restart. Its checks start over when it falls asleep the next time.
  mutating func receiverRestarted(at now: Instant) { awakeAt = now }

  /// Whether a check by the receiver may find the body at rest where it paused.
  private func isSeen(_ outing: Outing, at now: Instant) -> Bool {
    world.motion(at: now).speed < Self.slowSpeed
      && distance(from: outing.pausedAt, to: now) < Self.nearMeters
  }

  /// The latest end of a pause; nil where the departure may stay undetected.
  private func due(_ outing: Outing, at now: Instant) -> Instant? {
    guard let reading = plan.reading else { return checkDue(outing, since: outing.pausedAt) }
    guard let trouble = plan.trouble(from: outing.pausedAt - Self.feltMax, to: now) else {
      return outing.start + Self.feltMax
    }
    guard trouble.fault.isTold else { return dueUntold(outing, trouble) }
    let slack = reading == .line ? Self.identityMax : .zero
    return checkDue(outing, since: max(outing.pausedAt, trouble.start)).map { $0 + slack }
  }

  /// The latest end of a pause where the engine has to find out that the chip is useless.
  ///
  /// A receiver that falls asleep beside such a chip checks from then on, as without a chip. A receiver that is awake
  /// takes slow motion for rest.
  private func dueUntold(_ outing: Outing, _ trouble: RestPlan.Trouble) -> Instant? {
    if let slept = sleeps.first(where: { $0 >= max(outing.pausedAt, trouble.start) }) {
      return checkDue(outing, from: slept)
    }
    if isAsleep { return max(outing.start, trouble.start) + Self.blindMax }
    return outing.fastAt.map { max($0, trouble.start) + Self.blindMax }
  }

  /// The latest end of a pause where checks begin when the receiver falls asleep; an active sequence keeps it awake.
  private func checkDue(_ outing: Outing, since start: Instant) -> Instant? {
    let start = max(start, awakeAt ?? start)
    return checkDue(outing, from: sleeps.first { $0 >= start } ?? start)
  }

  /// The end of the first check that finds the board gone, where checks begin after an instant.
  private func checkDue(_ outing: Outing, from start: Instant) -> Instant? {
    Self.checks.first { outing.seenAt < start + $0.least }.map { start + $0.most }
  }
}
