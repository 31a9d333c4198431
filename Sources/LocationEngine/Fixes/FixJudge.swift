import BinnacleBasics
public import BinnacleModel
public import UBX

/// Decides which navigation solutions are fixes, and converts them to the units of Core Location.
///
/// The rules are those of the mapping from u-blox fields. `gnssFixOK` decides, never the type of fix alone. A fix
/// without a resolved time is rejected. The time never goes backwards. A distance that the dynamic model and the
/// uncertainties rule out is rejected, until a series of fixes that agree with each other shows that the older fix was
/// wrong:
///
///     nothing accepted --fix--> trusting a reference --fix that follows it--> trusting the fix
///     trusting a reference --fix that does not follow--> doubting: a rival beside the reference
///     doubting --fix that follows the reference--> trusting the fix
///     doubting --5 fixes over 3 s, each follows the rival before it--> trusting the rival
public struct FixJudge: Equatable, Codable, Sendable {
  /// The number of accepted solutions.
  public private(set) var acceptedCount = 0
  /// When the first solution was accepted; nil before it.
  private(set) var firstAcceptedAt: Instant?
  /// The number of rejected solutions, by cause.
  public private(set) var rejections = RejectionCounts()
  /// The origin of the accuracy of the last accepted fix.
  public private(set) var accuracyOrigin = HorizontalAccuracy.Origin.receiver
  /// The sentence with the position of the last accepted fix; nil unless the fix came in NMEA.
  public private(set) var sentence: NavigationSolution.Sentence?
  /// The origin of the date of the newest solution.
  public private(set) var dateOrigin = DateOrigin.receiver
  private var trust = Trust.nothing
  /// The time of the last accepted fix, and when it arrived.
  private var lastTime: Arrival?

  public enum Verdict: Equatable, Sendable {
    case accepted(Fix)
    case rejected(Rejection)
  }

  /// The origin of the date of a fix.
  public enum DateOrigin: UInt8, Codable, Sendable {
    /// The receiver sends the date.
    case receiver = 0
    /// The receiver sends the time of day alone; the date is that of the board's clock.
    case clock = 1
    /// As `clock`, but the board's clock is not trusted.
    case unknown = 2
  }

  private enum Trust: Equatable, Codable, Sendable {
    case nothing
    case trusting(Place)
    case doubting(Place, rival: Place, count: Int, since: Instant)
  }

  private struct Arrival: Equatable, Codable {
    var time: UTCTime
    var instant: Instant
  }

  /// The fix that the next one is compared with.
  private struct Place: Equatable, Codable, Sendable {
    var latitude: Double
    var longitude: Double
    var accuracy: Double
    var time: UTCTime

    init(_ fix: Fix) {
      latitude = fix.latitude
      longitude = fix.longitude
      accuracy = fix.horizontalAccuracy
      time = fix.time
    }
  }

  /// The ratio of the radius with 68 % probability to the receiver's hAcc, in thousandths.
  ///
  /// hAcc was measured to be the distance root mean square. The ratio is sqrt(-ln(1 - 0.68)) for a circular error.
  static let radiusPerThousand: Int64 = 1_067
  /// The slowest speed with a meaningful course.
  static let courseSpeedMin = 0.5
  /// The largest uncertainty of a meaningful course, in 1e-5 degrees.
  ///
  /// The limit is the wider end of the range in static and moving recordings, so that a slow walk keeps its course.
  static let courseAccuracyMaxE5: UInt32 = 60 * 100_000
  /// A time with this uncertainty or a larger one is not resolved.
  static let timeAccuracyMaxNanoseconds: UInt32 = 1_000_000_000
  /// A clock with a larger uncertainty gives no date to a time of day.
  static let clockUncertaintyMax = Interval.seconds(6 * 3_600)
  /// The greatest difference between the board's clock and a time of day whose date continues.
  static let continuationErrorMax = Interval.seconds(60)
  /// The number of agreeing fixes that outweigh the reference.
  static let rivalCountMin = 5
  /// The agreeing fixes must span at least this time, which is longer than a leap second.
  static let rivalAgeMin = Interval.seconds(3)

  public init() {}

  /// Judges one solution.
  ///
  /// - Parameters:
  ///   - solution: the solution of an epoch.
  ///   - model: the receiver's dynamic model; it limits the speed between fixes.
  ///   - isSimulated: whether the receiver is a program.
  ///   - clock: the board's clock, if it is trusted; the clock gives the date to a time of day without a date.
  ///   - now: when the solution arrived.
  /// - Returns: the fix, or the cause of its rejection; both are counted.
  mutating func judge(
    _ solution: NavigationSolution, model: DynamicModel, isSimulated: Bool,
    clock: TrustedClock? = nil, at now: Instant
  ) -> Verdict {
    let time = resolvedTime(solution, clock: clock, at: now)
    var origin = HorizontalAccuracy.Origin.receiver
    switch FixJudge.fix(from: solution, at: time, isSimulated: isSimulated, origin: &origin) {
    case .rejected(let cause):
      rejections.count(cause)
      return .rejected(cause)
    case .accepted(let fix):
      if let cause = doubt(Place(fix), model: model, at: now) {
        rejections.count(cause)
        return .rejected(cause)
      }
      acceptedCount &+= 1
      lastTime = Arrival(time: fix.time, instant: now)
      firstAcceptedAt = firstAcceptedAt ?? now
      accuracyOrigin = origin
      sentence = solution.sentence
      return .accepted(fix)
    }
  }

  // MARK: Continuity

  /// Why a place contradicts the accepted fixes; nil if it does not, and the place is then trusted.
  private mutating func doubt(_ place: Place, model: DynamicModel, at now: Instant) -> Rejection? {
    switch trust {
    case .nothing:
      trust = .trusting(place)
      return nil
    case .trusting(let reference):
      guard let cause = FixJudge.contradiction(of: place, after: reference, model) else {
        trust = .trusting(place)
        return nil
      }
      trust = .doubting(reference, rival: place, count: 1, since: now)
      return cause
    case .doubting(let reference, let rival, let count, let since):
      guard let cause = FixJudge.contradiction(of: place, after: reference, model) else {
        trust = .trusting(place)
        return nil
      }
      guard FixJudge.contradiction(of: place, after: rival, model) == nil else {
        trust = .doubting(reference, rival: place, count: 1, since: now)
        return cause
      }
      if count + 1 >= FixJudge.rivalCountMin, now - since >= FixJudge.rivalAgeMin {
        trust = .trusting(place)
        return nil
      }
      trust = .doubting(
        reference, rival: place, count: min(count + 1, FixJudge.rivalCountMin), since: since)
      return cause
    }
  }

  private static func contradiction(
    of place: Place, after reference: Place, _ model: DynamicModel
  ) -> Rejection? {
    guard place.time > reference.time else { return .timeBackwards }
    let seconds =
      Double(place.time.secondsSince1970 - reference.time.secondsSince1970)
      + Double(place.time.nanoseconds - reference.time.nanoseconds) / 1e9
    let reach =
      model.speedMaxMetersPerSecond * 1.2 * seconds
      + 3 * (place.accuracy + reference.accuracy) + 10
    return Nearness.squareMeters(
      fromLatitude: reference.latitude, longitude: reference.longitude,
      toLatitude: place.latitude, longitude: place.longitude) > reach * reach ? .jump : nil
  }

  // MARK: Mapping

  static func fix(
    from solution: NavigationSolution, at time: UTCTime?, isSimulated: Bool,
    origin: inout HorizontalAccuracy.Origin
  ) -> Verdict {
    guard let isThreeDimensional = dimensionality(solution) else {
      return .rejected(isValidityUnknown(solution) ? .validityUnknown : .noFix)
    }
    guard solution.isFixOK else { return .rejected(.notQualified) }
    guard let position = solution.position else {
      return .rejected(solution.isPositionImplausible ? .positionInvalid : .positionMissing)
    }
    guard abs(Int64(position.latitudeE7)) <= 900_000_000,
      abs(Int64(position.longitudeE7)) <= 1_800_000_000,
      position.latitudeE7 != 0 || position.longitudeE7 != 0
    else { return .rejected(.positionInvalid) }
    guard let accuracy = solution.horizontalAccuracy else { return .rejected(.accuracyUnknown) }
    guard let time else { return .rejected(.timeUnresolved) }
    origin = accuracy.origin
    var fix = Fix(
      latitude: Double(position.latitudeE7) / 1e7, longitude: Double(position.longitudeE7) / 1e7,
      horizontalAccuracy: Double((accuracy.millimeters * radiusPerThousand + 500) / 1_000) / 1_000,
      time: time, isSimulatedBySoftware: isSimulated, satelliteCount: solution.satelliteCount)
    if let precise = solution.highPrecision, abs(precise.latitudeE9) <= 90_000_000_000,
      abs(precise.longitudeE9) <= 180_000_000_000
    {
      fix.latitude = Double(precise.latitudeE9) / 1e9
      fix.longitude = Double(precise.longitudeE9) / 1e9
    }
    addAltitude(of: solution, position, isMeasured: isThreeDimensional, to: &fix)
    addMotion(of: solution, to: &fix)
    return .accepted(fix)
  }

  /// Whether the altitude was measured, too; nil if no position was measured.
  ///
  /// A talker without GSA does not report whether it measured the altitude, so only the place is accepted.
  private static func dimensionality(_ solution: NavigationSolution) -> Bool? {
    switch solution.fixType {
    case .twoDimensional: false
    case .threeDimensional, .gnssAndDeadReckoning: true
    case nil: solution.source == .nmea && solution.isFixOK ? false : nil
    case .none?, .deadReckoning, .timeOnly: nil
    }
  }

  /// Whether no message of the epoch reports if the position is a fix; NAV-POSLLH and NAV-HPPOSLLH do not.
  private static func isValidityUnknown(_ solution: NavigationSolution) -> Bool {
    solution.source == .navPOSLLH && solution.position != nil && solution.fixType == nil
      && !solution.isFixOK
  }

  /// The time of the fix, if it is reliable.
  ///
  /// A cold receiver first reports a date that is wrong by months. It has a qualified fix up to 20 s before its time
  /// has an accuracy. If the receiver reports an accuracy of the time, the type of fix and the flags alone are
  /// therefore not sufficient.
  private mutating func resolvedTime(
    _ solution: NavigationSolution, clock: TrustedClock?, at now: Instant
  ) -> UTCTime? {
    if let timeOfDay = solution.timeOfDayNanoseconds {
      let time = FixJudge.time(timeOfDay, byDateOf: clock, at: now)
      dateOrigin = time == nil ? .unknown : .clock
      return time
    }
    guard let time = solution.utc, solution.isDateValid, solution.isTimeValid,
      solution.isTimeConfirmed != false
    else { return nil }
    if solution.isDateContinued, let last = lastTime {
      // After a silence of a day the time of day fits, and the date does not.
      let error = (time - last.time) - (now - last.instant)
      guard abs(error.nanoseconds) <= FixJudge.continuationErrorMax.nanoseconds else {
        dateOrigin = .unknown
        return nil
      }
    }
    dateOrigin = .receiver
    switch solution.source {
    case .nmea, .hnrPVT: return time
    case .navSOL where solution.isUTCReckoned, .navPOSLLH where solution.isUTCReckoned: return time
    case .navPVT, .navPVAT, .navSOL, .navPOSLLH: break
    }
    guard let accuracy = solution.timeAccuracyNanoseconds,
      accuracy < FixJudge.timeAccuracyMaxNanoseconds
    else { return nil }
    return time
  }

  /// A time of day on the date nearest to the board's clock; nil if the clock is too uncertain.
  private static func time(
    _ timeOfDayNanoseconds: Int64, byDateOf clock: TrustedClock?, at now: Instant
  ) -> UTCTime? {
    guard let clock, clock.uncertainty(at: now) <= clockUncertaintyMax else { return nil }
    let day: Int64 = 86_400
    let shown = clock.time(at: now).secondsSince1970
    let secondOfDay = timeOfDayNanoseconds / 1_000_000_000
    var seconds = shown - ((shown % day) + day) % day + secondOfDay
    if seconds - shown > day / 2 { seconds -= day }
    if shown - seconds > day / 2 { seconds += day }
    return UTCTime(
      secondsSince1970: seconds, nanoseconds: timeOfDayNanoseconds % 1_000_000_000)
  }

  /// Adds the altitude, whether measured or held; only a measured altitude has an accuracy.
  ///
  /// Sentences without a geoid separation leave the altitude over the ellipsoid unknown. The value is then 0, as in a
  /// location that Apple's framework creates from an altitude.
  private static func addAltitude(
    of solution: NavigationSolution, _ position: NavigationSolution.Position, isMeasured: Bool,
    to fix: inout Fix
  ) {
    guard let heightMSL = position.heightMSLMillimeters else { return }
    fix.altitude = Double(heightMSL) / 1_000
    if let height = position.heightMillimeters { fix.ellipsoidalAltitude = Double(height) / 1_000 }
    if let precise = solution.highPrecision {
      fix.altitude = Double(precise.heightMSLE4) / 10_000
      fix.ellipsoidalAltitude = Double(precise.heightE4) / 10_000
    }
    guard isMeasured else { return }
    if let accuracy = solution.verticalAccuracyMillimeters, accuracy > 0, accuracy != .max {
      fix.verticalAccuracy = Double(accuracy) / 1_000
    } else if let accuracy = solution.accuracyByDilutionMillimeters {
      fix.verticalAccuracy = Double(accuracy) / 1_000
    }
  }

  private static func addMotion(of solution: NavigationSolution, to fix: inout Fix) {
    guard let ground = solution.groundSpeedMillimetersPerSecond, ground >= 0 else { return }
    fix.speed = Double(ground) / 1_000
    var speedMin = courseSpeedMin
    if let accuracy = solution.speedAccuracyMillimetersPerSecond, accuracy != .max {
      fix.speedAccuracy = Double(accuracy) / 1_000
      speedMin = max(speedMin, 2 * fix.speedAccuracy)
    }
    guard fix.speed >= speedMin, let heading = solution.headingOfMotionE5 else { return }
    if let accuracy = solution.headingAccuracyE5 {
      guard accuracy < courseAccuracyMaxE5 else { return }
      fix.courseAccuracy = Double(accuracy) / 1e5
    } else if solution.source != .nmea {
      return
    }
    // NMEA leaves the field of a meaningless course empty, and never contains the accuracy of the course.
    let turn: Int64 = 36_000_000
    fix.course = Double(((Int64(heading) % turn) + turn) % turn) / 1e5
  }
}
