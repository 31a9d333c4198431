import Accelerometers
import BinnacleBasics
import I2C
import LocationEngine

/// The accelerometer of a simulated board: its chip's samples of the body's motion, their delivery, and its faults.
///
/// The delivery equals that of the daemon (`Docs/DESIGN.md`, "While updates pause"). While a client gets positions,
/// every sample is delivered. While all updates pause, the daemon reads rare bursts, or the chip's interrupt reports
/// motion. Bursts without movement are kept for ten seconds.
struct MotionSource: Sendable {
  private enum State: Sendable {
    case off
    /// The chip is being configured.
    case preparing(until: Instant)
    /// The source fetches the next samples at this instant.
    case sampling(due: Instant)
    /// The interrupt reports motion away from the armed position; the identity register is read at the last instant.
    case armed(since: Acceleration, look: Instant, identity: Instant)
    /// The source searches for the chip again at this instant.
    case lost(until: Instant)
  }

  /// 50 Hz while a client gets positions; half of that where a FIFO of 32 samples is read every 1.2 s.
  private static let period = Interval.milliseconds(20)
  private static let seldomPeriod = Interval.milliseconds(40)
  private static let fetchPeriod = Interval.milliseconds(500)
  private static let seldomFetchPeriod = Interval.milliseconds(1_200)
  /// The number of bursts without movement that are delivered together.
  private static let seldomTogether = 8
  private static let restingPeriod = Interval.seconds(60)
  private static let identityPeriod = Interval.seconds(60)
  private static let setUpTime = Interval.milliseconds(150)
  private static let linePeriod = Interval.milliseconds(200)
  /// Two steps of 16 mg.
  private static let lineG = 0.032
  private static let gPerCount = 0.001
  private static let noiseCounts = 0.7
  /// The end of the chip's range, 2 g.
  private static let endCount: Int16 = 2_000
  /// The spread is counted in sixteenths of a count: 6 mg.
  private static let stillness = SampleStillness(
    tagBytes: 0, isBigEndian: false, spreadMax: 6 * 16, endOfRange: Int(endCount) - 1)

  private let plan: RestPlan
  private let reading: RestPlan.Reading
  private(set) var felt: FeltMotion
  private var random: Random
  private var state = State.off
  private var mode = AccelerometerMachine.Mode.resting
  private var last: [Int16] = [0, 0, 1_000]
  /// The instant of the next sample.
  private var next = Instant.zero
  private var lastSample = Instant.zero
  private var kept: [AccelerationBatch] = []

  /// Returns nil on a board without an accelerometer.
  init?(_ plan: RestPlan, world: World, seed: UInt64) {
    guard let reading = plan.reading else { return nil }
    self.plan = plan
    self.reading = reading
    felt = FeltMotion(body: world.body, departure: world.departure, seed: seed)
    random = Random(seed: seed ^ 0xFEE1)
  }

  /// The instant of the next action; nil while no component needs samples.
  var nextDeadline: Instant? {
    switch state {
    case .off: nil
    case .preparing(let until), .lost(let until): until
    case .sampling(let due): due
    case .armed(_, let look, _): look
    }
  }

  /// The daemon has ended, and no component reads.
  mutating func stop() { state = .off }

  /// Sets the purpose for which the engine needs samples.
  mutating func watch(_ wanted: AccelerometerMachine.Mode, at now: Instant) {
    let before = mode
    mode = wanted
    if case .lost = state { return }
    // A changed reading interval does not change the bursts, and the configuration of the kernel's driver stays.
    if case .sampling = state, isSetUpAlike(before, wanted) {
      state = .sampling(due: now + fetchPeriod)
    } else {
      state = .preparing(until: now + Self.setUpTime)
    }
  }

  private func isSetUpAlike(
    _ one: AccelerometerMachine.Mode, _ other: AccelerometerMachine.Mode
  ) -> Bool {
    func isGuarded(_ mode: AccelerometerMachine.Mode) -> Bool {
      mode == .alert || mode == .guarding || mode == .armed
    }
    switch reading {
    case .bursts: return isGuarded(one) && isGuarded(other)
    case .line: return false
    case .kernel: return one != .resting && other != .resting
    }
  }

  /// Returns the news up to an instant.
  mutating func read(at now: Instant) -> [AccelerometerNews] {
    switch state {
    case .off: return []
    case .lost(let until):
      if plan.fault(at: now) == .unplugged {
        state = .lost(until: max(until, now) + .seconds(5))
      } else {
        state = .preparing(until: now + Self.setUpTime)
      }
      return []
    case .preparing:
      if plan.fault(at: now) == .unplugged { return lost(.vanished, at: now) }
      setUp(at: now)
      return [.found(description)]
    case .sampling: return fetch(at: now)
    case .armed(let since, let look, let identity):
      return listen(since, identity: identity, from: look - Self.linePeriod, to: now)
    }
  }

  // MARK: Steps

  private mutating func setUp(at now: Instant) {
    next = now
    lastSample = now
    kept = []
    if reading == .line, mode == .armed {
      state = .armed(
        since: acceleration(at: now), look: now + Self.linePeriod,
        identity: now + Self.identityPeriod)
    } else {
      state = .sampling(due: now + fetchPeriod)
    }
  }

  private mutating func lost(
    _ kind: AccelerometerFailure, at now: Instant
  ) -> [AccelerometerNews] {
    state = .lost(until: now + .seconds(1))
    return [.fault(AccelerometerFault(kind, "the simulated chip: \(kind.word)"))]
  }

  private var isSeldom: Bool { reading != .kernel && (mode == .guarding || mode == .armed) }

  private var fetchPeriod: Interval {
    mode == .resting ? Self.restingPeriod : isSeldom ? Self.seldomFetchPeriod : Self.fetchPeriod
  }

  private mutating func fetch(at now: Instant) -> [AccelerometerNews] {
    state = .sampling(due: now + fetchPeriod)
    let fault = plan.fault(at: now)
    switch fault {
    case .unplugged: return lost(.vanished, at: now)
    case .stuck:
      next = now
      return []
    case .silent:
      next = now
      return mode != .resting && now - lastSample > .seconds(2) ? lost(.silent, at: now) : []
    case nil, .frozen, .saturated, .damaged: break
    }
    let batch = samples(upTo: now, fault)
    guard isSeldom else { return [.samples(batch)] }
    kept.append(batch)
    guard kept.count >= Self.seldomTogether || !isStill(batch) else { return [] }
    defer { kept = [] }
    return kept.map { .samples($0) }
  }

  private mutating func samples(
    upTo now: Instant, _ fault: RestPlan.Fault?
  ) -> AccelerationBatch {
    // A guarded chip is configured once for all later modes.
    let isFast = mode == .streaming || mode == .resting || reading != .bursts
    let period = isFast && !isSeldom ? Self.period : Self.seldomPeriod
    // The resting mode reads a single sample each minute, at the present time.
    let first = mode == .resting ? now : max(next, now - Self.seldomFetchPeriod * 2)
    var counts: [Int16] = []
    next = first
    while next <= now {
      counts += sample(at: next, fault)
      next = next + period
    }
    lastSample = now
    return AccelerationBatch(
      first: first, interval: period, gPerCount: fault == .damaged ? .nan : Self.gPerCount,
      counts: counts, saturatedCount: fault == .saturated ? counts.count / 3 : 0)
  }

  private func isStill(_ batch: AccelerationBatch) -> Bool {
    Self.stillness.isSeen(
      in: batch.counts.flatMap { count in
        let bits = UInt16(bitPattern: count)
        return [UInt8(bits & 0xFF), UInt8(bits >> 8)]
      })
  }

  private mutating func listen(
    _ since: Acceleration, identity: Instant, from start: Instant, to now: Instant
  ) -> [AccelerometerNews] {
    state = .armed(since: since, look: now + Self.linePeriod, identity: identity)
    // Without its supply the chip drives no line; the read of the identity register detects the missing chip.
    if plan.fault(at: now) == .unplugged {
      return identity <= now ? lost(.vanished, at: now) : []
    }
    if identity <= now {
      state = .armed(
        since: since, look: now + Self.linePeriod, identity: now + Self.identityPeriod)
    }
    var instant = start
    while instant < now {
      instant = instant + Self.seldomPeriod
      let one = acceleration(at: instant)
      let away = max((one.x - since.x).magnitude, (one.y - since.y).magnitude)
      guard max(away, (one.z - since.z).magnitude) > Self.lineG else { continue }
      // The interrupt is reported once; the next comparison starts from the present position.
      state = .armed(since: one, look: now + .seconds(1), identity: identity)
      return [.moved(instant)]
    }
    return []
  }

  // MARK: Samples

  private mutating func acceleration(at now: Instant) -> Acceleration {
    felt.accelerationOnBoard(at: now)
  }

  private mutating func sample(at now: Instant, _ fault: RestPlan.Fault?) -> [Int16] {
    switch fault {
    case .frozen: return last
    case .saturated:
      return [Self.endCount - Int16(random.next() % 2), -Self.endCount, Self.endCount]
    case nil, .damaged, .unplugged, .silent, .stuck:
      let felt = acceleration(at: now)
      last = [felt.x, felt.y, felt.z].map { g in
        let count = (g / Self.gPerCount + Self.noiseCounts * random.normal()).rounded()
        return Int16(min(max(count, -Double(Self.endCount)), Double(Self.endCount)))
      }
      return last
    }
  }

  private var description: AccelerometerDescription {
    let way: AccelerometerDescription.Reading =
      switch (reading, mode) {
      case (.kernel, _): .kernel
      case (.line, .armed): .armed
      case (.line, .resting): .restingWithInterrupt
      case (.bursts, .resting): .resting
      case (.bursts, .guarding), (.bursts, .armed), (.line, .guarding): .guarding
      case (.bursts, .streaming), (.bursts, .alert): .polledFIFO
      case (.line, .streaming), (.line, .alert): .interrupt
      }
    return AccelerometerDescription(
      model: "simulated", address: 0x18, reading: way, rateHz: 50, rangeG: 2, noiseG: 0.7e-3,
      selfTest: "not done")
  }
}
