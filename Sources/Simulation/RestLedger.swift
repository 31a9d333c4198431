import BinnacleBasics

/// Whether pauses begin and end with the body's rests: the body is the judge, not the receiver.
struct RestLedger: Sendable {
  /// A sequence that pauses.
  struct Pauser: Sendable {
    var name: String
    /// When it was told that the board rests.
    var pausedAt: Instant
  }

  /// A pause in which the body set out.
  private struct Outing: Sendable {
    var name: String
    var pausedAt: Instant
    var start: Instant
    /// When a look would have found it at rest where it paused for the last time.
    var seenAt: Instant
    /// Since when it has been fast enough for any receiver that is awake.
    var fastAt: Instant?

    init(_ pauser: Pauser, at now: Instant) {
      (name, pausedAt) = (pauser.name, pauser.pausedAt)
      (start, seenAt) = (now, now)
    }
  }

  /// Slower than any receiver could tell from rest at once; alone it may lean towards rest up to 0.5 m/s (`MOTION.md`, "What the
  /// receiver's speed says").
  private static let restSpeed = 0.3
  private static let aloneRestSpeed = 0.55
  /// A pause may begin so long after the body set out: a solution counts for three seconds, and is told late.
  private static let departureMax = Interval.seconds(4)
  /// So much of a dwell may be of the time before the body stood, when it rolled to a stop.
  private static let rollingMax = Interval.seconds(2)
  /// With an accelerometer: bursts 1.25 s apart and two seconds until it is sure, five until a position is missed, and
  /// timers that are late.
  private static let feltMax = Interval.seconds(12)
  /// With one that says nothing: twelve until what comes seldom is missed, ten until a rest without a witness is over, three for
  /// what the receiver said before, and five until a position is missed.
  private static let blindMax = Interval.seconds(35)
  /// Where nothing feels, the receiver looks: when it does at the earliest, and until when it has told.
  ///
  /// It sleeps 3 s after the last pause and looks after 1, 2 and 5 minutes for 10 s, the first time perhaps after half a minute more,
  /// which shows that it wakes; a position is missed after five.
  private static let looks: [(least: Interval, most: Interval)] = [
    (.seconds(60), .seconds(115)), (.seconds(184), .seconds(250)), (.seconds(484), .seconds(570)),
  ]
  /// So near a receiver may find itself where it was, and so slow at rest.
  private static let nearMeters = 60.0
  private static let slowSpeed = 1.0
  /// That a chip whose line looks for movement is gone shows when it is asked who it is.
  private static let identityMax = Interval.seconds(62)
  private static let step = Interval.milliseconds(250)

  /// The least threshold of the detector is 5 mg (`MOTION.md`, "What it is measured against"); a chip adds noise.
  private static let calmMilliG = 4.5

  private let world: World
  private let plan: RestPlan
  /// What the accelerometer is fixed to; nil: there is none.
  private var sway: BodySway?
  private var lookedAt = Instant.zero
  private var outings: [Outing] = []
  /// When the receiver fell asleep, each time.
  private var sleeps: [Instant] = []
  private var isAsleep = false
  /// When the receiver was awake for the last time for something else than a look.
  private var awakeAt: Instant?

  init(_ world: World, _ plan: RestPlan, felt: FeltMotion? = nil) {
    self.world = world
    self.plan = plan
    sway = felt.map(BodySway.init)
  }

  /// Whether an accelerometer may feel something, measured against a threshold that nothing was learned for.
  ///
  /// A board that rested before a power cut is then not said to rest at its first position (`APPS.md`, "When updates paused").
  /// An idling engine may shake it so: by 1.5 to 5.4 mg. A chip in trouble may feel it between its faults.
  mutating func isShaken(at now: Instant) -> Bool {
    sway?.greatestMilliG(by: now) ?? 0 > Self.calmMilliG
  }

  private func isResting(at now: Instant) -> Bool {
    let isFelt = plan.reading != nil && plan.trouble(from: now - Self.feltMax, to: now) == nil
    return world.isAtRest(at: now)
      || world.motion(at: now).speed < (isFelt ? Self.restSpeed : Self.aloneRestSpeed)
  }

  /// Whether somebody or something moves the body, at any speed.
  private func isMoved(at now: Instant) -> Bool {
    now > world.departure && !world.isAtRest(at: now)
  }

  /// What is wrong with a pause that begins.
  ///
  /// - Parameters:
  ///   - dwell: how long the body must have rested.
  ///   - isReturn: whether the pause goes on with one from before the position, the app or the power was lost: what the body did
  ///     meanwhile may stay unknown.
  ///   - now: when the app is told.
  /// - Returns: nil when nothing is wrong.
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
    while start > .zero, now - start < dwell, isResting(at: max(start - Self.step, .zero)) {
      start = max(start - Self.step, .zero)
    }
    return now - start < dwell - Self.rollingMax
      ? "stationary \((now - start).seconds) s after it stopped" : nil
  }

  /// What is wrong with pauses that go on, each from when the body set out, even where it has stopped again.
  mutating func overdue(
    _ pausers: @autoclosure () -> [Pauser], isReceiverNeeded: Bool, isReceiverAsleep: Bool,
    at now: Instant
  ) -> String? {
    if isReceiverNeeded, outings.isEmpty { awakeAt = now }
    if isReceiverAsleep, !isAsleep { sleeps.append(now) }
    isAsleep = isReceiverAsleep
    guard now - lookedAt >= Self.step else { return nil }
    lookedAt = now
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

  /// The receiver starts anew by itself, as after a dip of its supply.
  ///
  /// It is awake then. The looks begin anew when it falls asleep the next time.
  mutating func receiverRestarted(at now: Instant) { awakeAt = now }

  /// Whether a receiver that looks may find the body at rest where it paused.
  private func isSeen(_ outing: Outing, at now: Instant) -> Bool {
    let (spot, here) = (world.motion(at: outing.pausedAt), world.motion(at: now))
    let meters = Ellipsoid.distance(
      from: (spot.latitude, spot.longitude), to: (here.latitude, here.longitude))
    return here.speed < Self.slowSpeed && meters < Self.nearMeters
  }

  /// By when a pause has to be over; nil where nothing is known of it.
  private func due(_ outing: Outing, at now: Instant) -> Instant? {
    guard let reading = plan.reading else { return looked(outing, since: outing.pausedAt) }
    guard let trouble = plan.trouble(from: outing.pausedAt - Self.feltMax, to: now) else {
      return outing.start + Self.feltMax
    }
    guard trouble.fault.isTold else { return dueUntold(outing, trouble) }
    let slack = reading == .line ? Self.identityMax : .zero
    return looked(outing, since: max(outing.pausedAt, trouble.start)).map { $0 + slack }
  }

  /// The same where the engine has to find out that the chip is of no use.
  ///
  /// A receiver that falls asleep beside such a chip looks from then on, as where there is none. One that is awake takes
  /// what is carried slowly for resting.
  private func dueUntold(_ outing: Outing, _ trouble: RestPlan.Trouble) -> Instant? {
    if let slept = sleeps.first(where: { $0 >= max(outing.pausedAt, trouble.start) }) {
      return looked(outing, from: slept)
    }
    if isAsleep { return max(outing.start, trouble.start) + Self.blindMax }
    return outing.fastAt.map { max($0, trouble.start) + Self.blindMax }
  }

  /// The same where looks begin when the receiver falls asleep: who does not pause keeps it awake.
  private func looked(_ outing: Outing, since start: Instant) -> Instant? {
    let start = max(start, awakeAt ?? start)
    return looked(outing, from: sleeps.first { $0 >= start } ?? start)
  }

  /// When the first look is over that finds the board gone, where looks begin after an instant.
  private func looked(_ outing: Outing, from start: Instant) -> Instant? {
    Self.looks.first { outing.seenAt < start + $0.least }.map { start + $0.most }
  }
}
