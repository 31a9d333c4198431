import BinnacleBasics

/// The data that the receiver has when it starts.
public enum StartKind: String, CaseIterable, Codable, Sendable {
  /// Nothing.
  case cold
  /// Time and almanac.
  case warm
  /// Time and ephemerides younger than four hours.
  case hot
}

/// The receiver's navigation: its time and position at each epoch, with the errors of a real receiver.
struct Navigator: Sendable {
  private let generation: Generation
  private let startedAt: Instant
  var random: Random
  /// The course of this start without assistance.
  private let ownStart: Start
  /// The course of this start with the assistance that the receiver got.
  private var start: Start
  /// Seconds from complete assistance to the first fix.
  private let secondsFromAssistance: Double
  private let clockBiasNanoseconds: Double
  private let clockDriftNanosecondsPerSecond: Double
  private(set) var ephemerides: EphemerisMemory
  private var firstFixAt: Instant?
  private var lostAt: Instant?
  /// The instant at which the present stretch of fixes began.
  private var stretchStartedAt: Instant?
  /// The number of satellites that the receiver can have found again since the sky was blocked.
  private var foundAgain = 1_000.0
  private var seenSkyAt: Instant?
  private let secondsToRecover: Double
  private var lastEpochAt: Instant?
  /// The accuracy of the previous epoch in the same stretch of confident fixes, in meters.
  private var lastMeters: Double?
  private var last: Epoch?
  /// Errors of the position relative to the accuracy, and of the speed in m/s: north, east, down.
  private var positionError: (Double, Double, Double)
  private var speedError: (Double, Double, Double) = (0, 0, 0)
  var constellation: [Satellite]

  /// The course of a start.
  private struct Start: Sendable {
    var kind: StartKind
    var secondsToFix = 0.0
    /// Seconds from the first position until gnssFixOK (recording gnssvis-coldstart.ubx: 11 s).
    var secondsToConfidence = 0.0
    /// Seconds after the first fix until tAcc is known; zero in most starts.
    ///
    /// One receiver had a fix with gnssFixOK for 20 s without a known tAcc (Docs/SOURCES.md, U4).
    var secondsToTimeAccuracy = 0.0
    /// The offset of the receiver's epochs from the grid until the first fix (gnssvis-coldstart.ubx: 506 ms).
    var phaseMilliseconds: Int64 = 0
  }

  /// The earliest gnssFixOK of a cold start, in seconds.
  ///
  /// A satellite takes 30 s to send its ephemeris once (IS-GPS-200, 20.3.3). gnssFixOK does not come earlier, although
  /// a first position may.
  private static let coldSecondsMin = 30.5

  private var kind: StartKind { start.kind }
  private var secondsToFix: Double { start.secondsToFix }
  private var secondsToConfidence: Double { start.secondsToConfidence }
  private var secondsToTimeAccuracy: Double { start.secondsToTimeAccuracy }
  private var phaseMilliseconds: Int64 { start.phaseMilliseconds }

  /// - Parameters:
  ///   - generation: the receiver's generation.
  ///   - kind: the data that the receiver has at its start.
  ///   - start: the instant at which the receiver starts.
  ///   - seed: draws the receiver's errors and durations.
  ///   - received: the time at which the ephemerides of a hot start were received; nil: just now.
  init(
    generation: Generation, kind: StartKind, start: Instant, seed: UInt64,
    ephemeridesFrom received: Instant? = nil
  ) {
    var random = Random(seed: seed)
    func within(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.unit()
    }
    self.generation = generation
    startedAt = start
    var own = Start(kind: kind)
    switch kind {
    case .cold:
      own.secondsToFix = within(generation.coldStartSeconds)
      own.secondsToConfidence = within(max(2, Navigator.coldSecondsMin - own.secondsToFix)...11)
      own.secondsToTimeAccuracy = random.chance(0.3) ? 20 : 0
      own.phaseMilliseconds = Int64(within(20...980))
    case .warm:
      own.secondsToFix = within(generation.warmStartSeconds)
      own.secondsToConfidence = within(1...4)
    case .hot: own.secondsToFix = within(generation.hotStartSeconds)
    }
    ownStart = own
    self.start = own
    // Separate random numbers, so that assistance does not change the draws of a start without assistance.
    var apart = Random(seed: ~seed)
    let hot = generation.hotStartSeconds
    secondsFromAssistance = hot.lowerBound + (hot.upperBound - hot.lowerBound) * apart.unit()
    ephemerides = EphemerisMemory(
      receivedAt: kind == .hot ? received ?? start : nil, random: &apart)
    secondsToRecover = within(1...4)
    clockBiasNanoseconds = within(-450_000...450_000)
    clockDriftNanosecondsPerSecond = within(-300...300)
    positionError = (0.4 * random.normal(), 0.4 * random.normal(), 0.4 * random.normal())
    constellation = Navigator.constellation(of: generation.systems, random: &random)
    self.random = random
  }

  /// Whether the receiver has known the time well enough to keep to the grid of GPS time.
  var keepsGrid: Bool { kind != .cold || firstFixAt != nil }

  /// The kind of a start at an instant with the clock and the navigation database kept (Docs/SOURCES.md, U5).
  func kindOfNextStart(at now: Instant) -> StartKind {
    guard keepsGrid else { return .cold }
    return ephemerides.areYoung(at: now) ? .hot : .warm
  }

  /// The present offset of the epochs from the grid.
  var phase: Interval { keepsGrid ? .zero : .milliseconds(phaseMilliseconds) }

  /// The satellites whose ephemerides are known: those that the receiver uses for navigation.
  var known: [Satellite] { last?.satellites.filter(\.isUsed) ?? [] }

  /// Notes correct time, position and own ephemerides: from now on the start is a hot start.
  mutating func assisted(at now: Instant) {
    guard firstFixAt == nil, start.kind != .hot else { return }
    start = Start(kind: .hot)
    ephemerides.received(at: now)
    start.secondsToFix = min(
      ownStart.secondsToFix, (now - startedAt).seconds + secondsFromAssistance)
  }

  /// Notes wrong assistance: the start continues without assistance.
  mutating func misled() {
    if firstFixAt == nil { start = ownStart }
  }

  /// Computes the epoch whose measurements were taken at an instant.
  mutating func epoch(at now: Instant, in world: World, dynamicModel: UInt64) -> Epoch {
    let elapsed = (now - startedAt).seconds
    let step = lastEpochAt.map { min(10, max(0.001, (now - $0).seconds)) } ?? 1
    lastEpochAt = now
    advanceErrors(by: step)
    let visibility = world.visibility(at: now)
    let motion = world.motion(at: now)
    // Seconds after the sky is free again, the receiver uses 3, 3, 4 and 5 satellites (gpsd-gen7-gr701w-fixloss.log).
    let inSight = usableCount(visibility: visibility, elapsed: elapsed)
    let usable = firstFixAt == nil ? inSight : min(inSight, Int(foundAgain + 2 * step))
    foundAgain = inSight > usable ? foundAgain + 2 * step : Double(inSight)
    ephemerides.listened(to: usable, at: now)
    let isAllowed = DynamicModel(number: dynamicModel).allows(motion)
    let hasFix = decideFix(at: now, elapsed: elapsed, usable: isAllowed ? usable : 0)
    var epoch = timedEpoch(at: now, elapsed: elapsed, in: world)
    if hasFix {
      place(&epoch, at: now, step: step, motion: motion, usable: usable)
    } else if let last {
      hold(&epoch, last, step: step)
    } else if kind == .cold, usable >= 3, elapsed > secondsToFix - 8 {
      guess(&epoch)
    }
    epoch.satellites = satellites(usable: usable, isUsed: hasFix, visibility: visibility)
    epoch.upTimeMilliseconds = UInt32(clamping: (now - startedAt).nanoseconds / 1_000_000)
    if let firstFixAt {
      let time = (firstFixAt - startedAt).nanoseconds / 1_000_000
      epoch.timeToFirstFixMilliseconds = UInt32(clamping: time)
    }
    setDetectors(&epoch, at: now, in: world)
    if firstFixAt != nil { last = epoch }
    return epoch
  }

  // MARK: - Fix or no fix

  /// The number of usable satellites: those in sight whose ephemerides are known.
  ///
  /// Without ephemerides the first fix uses a few satellites, and the other satellites follow over minutes
  /// (gnssvis-coldstart.ubx: 6 at the first fix, 7 at gnssFixOK, 14 a minute later, 17 after two minutes).
  private func usableCount(visibility: Double, elapsed: Double) -> Int {
    let inSight = Double(constellation.count) * visibility * 0.8
    let found = min(1, 0.2 + elapsed / max(1, secondsToFix))
    let sinceFix = max(0, elapsed - secondsToFix)
    switch kind {
    case .hot: return Int(inSight * found)
    case .warm: return Int(min(inSight, found * 6 + sinceFix / 4))
    case .cold: return Int(min(inSight, found * 6 + sinceFix / 8))
    }
  }

  /// Sets the states of the detectors of interference and of false signals.
  private func setDetectors(_ epoch: inout Epoch, at now: Instant, in world: World) {
    if world.threat(.jamming, at: now) != nil { epoch.jammingState = 2 }
    if world.threat(.blockingJamming, at: now) != nil { epoch.jammingState = 3 }
    guard let spoofing = world.threat(.spoofing, at: now) else { return }
    epoch.spoofingState = 2
    // The state is set mostly in the epochs of the transition (UBX-21035062, UBX-NAV-STATUS).
    if (now - spoofing.start).seconds < 3 { epoch.spoofingInEpoch = 2 }
  }

  private mutating func decideFix(at now: Instant, elapsed: Double, usable: Int) -> Bool {
    guard usable >= 3, elapsed >= secondsToFix else {
      if stretchStartedAt != nil { lostAt = now }
      stretchStartedAt = nil
      lastMeters = nil
      seenSkyAt = nil
      return false
    }
    let seen = seenSkyAt ?? now
    seenSkyAt = seen
    if lostAt != nil, (now - seen).seconds < secondsToRecover { return false }
    if firstFixAt == nil {
      firstFixAt = now
      if kind != .hot { ephemerides.received(at: now) }
    }
    if stretchStartedAt == nil { stretchStartedAt = now }
    lostAt = nil
    return true
  }

  // MARK: - Time

  /// The stages of time in a cold start (recording gnssvis-coldstart.ubx).
  ///
  /// First the receiver counts from the firmware's date. Then the receiver reports the time of week in a wrong week and
  /// off the grid. Then it reports the right date, and at last the first fix.
  private func timedEpoch(at now: Instant, elapsed: Double, in world: World) -> Epoch {
    let defaultWeek = GPSTime.milliseconds(
      of: UTCTime(secondsSince1970: 1_639_267_200 - GPSTime.leapSeconds))
    let isCold = kind == .cold && firstFixAt == nil
    if isCold, elapsed < secondsToFix * 0.25 {
      // iTOW and calendar count from 0 side by side.
      let counted = Int64(elapsed.rounded()) * 1_000
      return Epoch(
        iTOWMilliseconds: UInt32(counted),
        shownSecond: UTCTime(secondsSince1970: 1_639_267_200 + counted / 1_000))
    }
    let trueMilliseconds = GPSTime.milliseconds(of: world.utc(at: now) + .microseconds(500))
    if isCold, elapsed < secondsToFix * 0.45 {
      let timeOfWeek = trueMilliseconds % GPSTime.weekMilliseconds
      let shown = GPSTime.utc(ofMilliseconds: defaultWeek + timeOfWeek)
      var epoch = Epoch(
        iTOWMilliseconds: UInt32(timeOfWeek),
        shownSecond: UTCTime(secondsSince1970: shown.secondsSince1970))
      epoch.nano = shown.nanoseconds
      epoch.isTimeValid = true
      return epoch
    }
    let believed = isCold ? trueMilliseconds - phaseMilliseconds : trueMilliseconds
    return resolvedEpoch(believed, at: now, elapsed: elapsed)
  }

  private func resolvedEpoch(_ milliseconds: Int64, at now: Instant, elapsed: Double) -> Epoch {
    let shown = GPSTime.utc(ofMilliseconds: milliseconds)
    var epoch = Epoch(
      iTOWMilliseconds: UInt32(milliseconds % GPSTime.weekMilliseconds),
      shownSecond: UTCTime(secondsSince1970: shown.secondsSince1970))
    epoch.isDateValid = true
    epoch.isTimeValid = true
    guard let firstFixAt else {
      epoch.nano = 0
      epoch.isFullyResolved = secondsToTimeAccuracy == 0
      // 20 ms before the first fix (gnssvis-coldstart.ubx).
      if epoch.isFullyResolved { epoch.timeAccuracyNanoseconds = 20_001_016 }
      return epoch
    }
    let sinceFix = (now - firstFixAt).seconds
    let bias = clockBiasNanoseconds + clockDriftNanosecondsPerSecond * elapsed
    // nano is negative in most epochs: the receiver's clock is offset from the grid (Docs/SOURCES.md, U4).
    epoch.nano = shown.nanoseconds + Int32(bias)
    // NAV-CLOCK has the other sign: -97,554 ns beside a fTOW of 97,564 in gpsd-navisys-gr8013.log.
    epoch.clockBiasNanoseconds = -Int32(bias)
    epoch.clockDriftNanosecondsPerSecond = -Int32(clockDriftNanosecondsPerSecond)
    if sinceFix >= secondsToTimeAccuracy {
      epoch.isFullyResolved = true
      let loss = lostAt.map { (now - $0).seconds } ?? 0
      epoch.timeAccuracyNanoseconds = UInt32(20 + 12_000 / (1 + sinceFix * sinceFix) + loss * 4)
    }
    return epoch
  }

  // MARK: - Position

  private mutating func place(
    _ epoch: inout Epoch, at now: Instant, step: Double, motion: Motion, usable: Int
  ) {
    let age = stretchStartedAt.map { (now - $0).seconds } ?? 0
    let isFirst = firstFixAt == stretchStartedAt
    let confidence = isFirst ? secondsToConfidence : 0
    let isConfident = age >= confidence
    var meters = accuracy(age: age, confidence: confidence, usable: usable)
    // A filter smooths the change: 25.5, 19.4, 15.2, 12.6 m from second to second in gnssvis-coldstart.ubx. It grows
    // slower.
    if let lastMeters {
      meters = min(lastMeters * (1 + 0.3 * step), max(lastMeters * max(0, 1 - 0.25 * step), meters))
    }
    lastMeters = isConfident ? meters : nil
    let noisy = Ellipsoid.shifted(
      motion, north: positionError.0 * meters, east: positionError.1 * meters)
    // With few satellites most epochs are 2D, or 3D without gnssFixOK (gpsd-m10-spg510-glo.log: 275 of 299).
    let isWeak = usable <= 4 && !random.chance(0.2)
    epoch.fixType = usable == 3 ? 2 : 3
    epoch.isFixOK = isConfident && !isWeak
    epoch.latitudeE7 = Int32((noisy.latitude * 1e7).rounded())
    epoch.longitudeE7 = Int32((noisy.longitude * 1e7).rounded())
    let up = usable == 3 ? 0 : positionError.2 * meters * 1.4
    epoch.heightMillimeters = Int32(((motion.height + up) * 1_000).rounded())
    // The geoid lies 47.5 m above the ellipsoid in the area of the journeys.
    epoch.heightMSLMillimeters = epoch.heightMillimeters - 47_500
    epoch.horizontalAccuracyMillimeters = UInt32(meters * 1_000)
    epoch.verticalAccuracyMillimeters = UInt32(meters * (usable == 3 ? 2_500 : 1_400))
    setVelocity(&epoch, motion: motion, meters: meters)
    // Recorded pairs of satellites and DOP: 6 4.71, 7 3.24, 10 2.3, 11 2.26, 14 1.93, 17 1.64 and 15 1.35, 25 0.98.
    epoch.positionDOPE2 = UInt16(30 + 2_200 / usable)
  }

  private func setVelocity(_ epoch: inout Epoch, motion: Motion, meters: Double) {
    let course = motion.course / Ellipsoid.degreesPerRadian
    let north = motion.speed * cosine(course) + speedError.0
    let east = motion.speed * sine(course) + speedError.1
    let speed = (north * north + east * east).squareRoot()
    epoch.velocityNorth = Int32((north * 1_000).rounded())
    epoch.velocityEast = Int32((east * 1_000).rounded())
    epoch.velocityDown = Int32(((motion.down + speedError.2) * 1_000).rounded())
    epoch.groundSpeed = Int32((speed * 1_000).rounded())
    // gnssvis-coldstart.ubx: 3.6 m/s at 2,611 m, 1.06 at 265, 0.3 at 25, 0.2 at 2.4.
    epoch.speedAccuracy = UInt32(100 + 60 * meters.squareRoot())
    // Below 0.1 m/s the old heading stays and its accuracy grows (NEO-F10N integration manual 2.2.6).
    if speed < 0.1 {
      epoch.headingOfMotionE5 = last?.headingOfMotionE5 ?? 0
      epoch.headingAccuracyE5 = grown(last?.headingAccuracyE5)
      return
    }
    epoch.isHeadingFrozen = false
    let across = speedError.1 * cosine(course) - speedError.0 * sine(course)
    var heading = motion.course
    if motion.speed > 0.05 {
      heading += max(-40, min(40, across / motion.speed * Ellipsoid.degreesPerRadian))
    }
    if heading < 0 { heading += 360 }
    if heading >= 360 { heading -= 360 }
    epoch.headingOfMotionE5 = min(35_999_999, Int32((heading * 1e5).rounded()))
    let accuracy = Double(epoch.speedAccuracy) / 1_000 / speed * Ellipsoid.degreesPerRadian
    epoch.headingAccuracyE5 = UInt32(min(180, accuracy) * 1e5)
  }

  /// Shows a wild position shortly before the first fix, with an unknown accuracy and fixType 0.
  ///
  /// gnssvis-coldstart.ubx has ten such epochs: 8 km above the ground, a quarter of the globe away.
  private mutating func guess(_ epoch: inout Epoch) {
    epoch.latitudeE7 = Int32(300_000_000 + 100_000_000 * random.unit())
    epoch.longitudeE7 = Int32(800_000_000 + 100_000_000 * random.unit())
    epoch.heightMillimeters = Int32(8_000_000 * random.unit())
    epoch.heightMSLMillimeters = epoch.heightMillimeters + 52_000
  }

  /// Advances the errors; the error of the position hardly changes from epoch to epoch.
  ///
  /// The error of the position changes by 0.014 m at an accuracy of 0.73 m. The speed at rest is 0.02 m/s in the median
  /// (Docs/SOURCES.md, U4).
  private mutating func advanceErrors(by step: Double) {
    let keep = 1 - step / 600
    let noise = 0.4 * (2 * step / 600).squareRoot()
    func next(_ error: Double, _ random: inout Random) -> Double {
      max(-1.2, min(1.2, error * keep + noise * random.normal()))
    }
    positionError = (
      next(positionError.0, &random), next(positionError.1, &random), next(positionError.2, &random)
    )
    speedError = (0.016 * random.normal(), 0.016 * random.normal(), 0.03 * random.normal())
  }
}
