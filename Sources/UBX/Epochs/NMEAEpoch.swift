import BinnacleBasics

/// Joins the sentences of one epoch into a solution; these sentences have the same time of day.
///
/// GSA and VTG have no time; `NMEAAssembler` assigns them to an epoch. Several talkers may send the same sentence for
/// one epoch (GPGGA and GLGGA): the first sentence with a fix is used. An epoch without a sentence with a position is
/// ignored. Field tables: u-blox M10 SPG 5.10 interface description, "NMEA protocol". PUBX,00 and PUBX,04: u-blox 8 /
/// M8 receiver description (UBX-13003221), "PUBX messages".
struct NMEAEpoch: Equatable, Codable, Sendable {
  private(set) var parts: Parts = []
  /// Nanoseconds since midnight.
  private(set) var timeOfDay: Int64?
  private(set) var date: Date?
  /// The date and time of the epoch before, in live use.
  var preceding: UTCTime?
  /// Whether the status of RMC is A; without RMC, the status of GLL.
  private var isActive = false
  /// Whether a sentence marks the position as estimated (dead reckoning).
  private var isReckoned = false
  /// The best quality of GGA, GNS and PUBX,00, in the numbers of GGA; 0 is no fix.
  private var quality: Int?
  /// GSA: 1 no fix, 2 2D, 3 3D.
  private var mode: Int?
  /// The type of fix in PUBX,00; nil without PUBX,00.
  private var statedFixType: NavigationSolution.FixType?
  /// Satellites in the lists of GSA.
  private var listedSatellites = 0
  /// HDOP of GSA, as received.
  private(set) var listedDOPE2: UInt16?
  /// The largest squared distance between two sentences' positions, in square meters.
  private var apartSquareMeters = 0.0
  /// Whether several talkers send a number of used satellites: either a number per talker, or the total.
  private var isCountShared = false
  /// Whether the sentence with the position reports a fix.
  private(set) var isPositionFix = false
  private var solution = NavigationSolution(source: .nmea)
  /// The satellites of GSV and GSA; nil: satellites are not collected.
  var list: SatelliteList?

  /// The greatest difference between the speeds of RMC and VTG of one epoch: a tenth of a knot, as the last digit of RMC
  /// may be, and the rounding of both.
  private static let speedToleranceMillimetersPerSecond = 60

  init(list: SatelliteList?) { self.list = list }

  var hasPosition: Bool { !parts.isDisjoint(with: .withPosition) }

  /// Whether a sentence with a field for the time arrived; the field may be empty.
  var isTimed: Bool { !parts.subtracting(.untimed).isEmpty }

  /// HDOP of GGA, as received.
  var dilutionE2: UInt16? { solution.horizontalDOPE2 }

  /// Whether GGA, or RMC without GGA, reports a fix; nil without GGA and RMC.
  var isFixed: Bool? { parts.contains(.gga) ? quality != 0 : parts.contains(.rmc) ? isActive : nil }
  var isListedFixed: Bool? { mode.map { $0 != 1 } }

  /// The sentences that make the next epoch complete.
  var awaited: Parts {
    // u-blox receivers send GLL last. GLL adds nothing to the other sentences with a position.
    parts.isDisjoint(with: Parts.withPosition.subtracting(.gll)) ? parts : parts.subtracting(.gll)
  }

  /// Takes a sentence of this epoch.
  ///
  /// - Parameters:
  ///   - part: the kind of sentence.
  ///   - time: the time in the sentence, if there is one.
  ///   - payload: the text of the sentence.
  mutating func take(_ part: Parts, time: Int64?, _ payload: Payload) {
    let isRepeated = parts.contains(part)
    parts.insert(part)
    timeOfDay = timeOfDay ?? time
    var fields = NMEAFields(payload)
    switch part {
    case .rmc: if !isRepeated || !isActive { rmc(&fields) }
    case .gga: gga(&fields, isRepeated: isRepeated)
    case .gll: if !isRepeated || !isActive { gll(&fields) }
    case .gns: gns(&fields, isRepeated: isRepeated)
    case .pubx00: pubx00(&fields)
    case .pubx04: pubx04(&fields)
    case .gsa:
      gsa(&fields)
      list?.takeUsed(payload)
    case .gst: gst(&fields)
    case .vtg: vtg(&fields)
    case _: zda(&fields)
    }
  }

  /// Drops the GSA and GSV sentences so far, because they belong to the epoch before.
  mutating func forgetLists() {
    parts.remove(.gsa)
    mode = nil
    listedSatellites = 0
    listedDOPE2 = nil
    solution.positionDOPE2 = nil
    solution.verticalDOPE2 = nil
    list = list?.emptied
  }

  /// The solution from all sentences of the epoch.
  var joined: NavigationSolution {
    var joined = solution
    setTime(of: &joined)
    joined.fixType = fixType
    let hasStatus = !parts.isDisjoint(with: quality == nil ? [.rmc, .gll] : .rmc)
    // Beside GGA, GNS or PUBX,00 without a fix, the status A of RMC is no fix.
    joined.isFixOK = hasStatus ? isActive && quality != 0 : (1...5).contains(quality ?? 0)
    if isPositionDisputed { joined.position = nil }
    joined.dropPositionNowhere()
    if joined.position == nil { joined.sentence = nil }
    if parts.contains(.gsa), isCountShared || joined.satelliteCount == nil {
      joined.satelliteCount = max(joined.satelliteCount ?? 0, listedSatellites)
    }
    joined.satellitesInView = list?.count
    // HDOP of GSA is used only beside PDOP: the accuracy is then estimated from PDOP, so HDOP does not change the
    // estimate.
    if joined.horizontalDOPE2 == nil, joined.positionDOPE2 != nil {
      joined.horizontalDOPE2 = listedDOPE2.flatMap(knownDOP)
    }
    return joined
  }

  /// Whether the positions of two sentences differ by more than a receiver moves in 3 s, plus 100 m.
  ///
  /// A receiver may repeat a position of the last seconds in one sentence. The checksum, an exclusive or, does not
  /// detect two flipped bits at the same place of two bytes: then one of the positions is damaged, and the position is
  /// unknown.
  private var isPositionDisputed: Bool {
    guard apartSquareMeters > 0 else { return false }
    let speed = Double(solution.groundSpeedMillimetersPerSecond ?? 0) / 1_000
    let limit = NMEAEpoch.apartMaxMeters + NMEAEpoch.apartMaxSeconds * max(0, speed)
    return apartSquareMeters > limit * limit
  }

  private static let apartMaxMeters = 100.0
  private static let apartMaxSeconds = 3.0

  private var fixType: NavigationSolution.FixType? {
    if let statedFixType { return statedFixType }
    if isReckoned { return .deadReckoning }
    if quality == 0 || (quality == nil && !isActive) { return NavigationSolution.FixType.none }
    switch mode {
    case 1: return NavigationSolution.FixType.none
    case 2: return .twoDimensional
    case 3: return .threeDimensional
    case _: return nil
    }
  }

  /// Time, status, latitude, longitude, speed in knots, course, date ddmmyy, variation (2), mode.
  private mutating func rmc(_ fields: inout NMEAFields) {
    fields.skip(1)
    isActive = fields.character() == UInt8(ascii: "A")
    setPosition(&fields, .rmc, isFix: isActive)
    let speed = fields.decimal()
    let course = fields.decimal()
    let written = fields.integer()
    fields.skip(2)
    if fields.character() == UInt8(ascii: "E") { isReckoned = true }
    // A VTG that arrived earlier may belong to the epoch before, whose RMC and GGA were lost.
    solution.groundSpeedMillimetersPerSecond = speed?.scaled(to: 6).flatMap(fromMicroknots)
    solution.headingOfMotionE5 = nil
    setCourse(course)
    setDate(ddmmyy: written)
  }

  /// Time, latitude, longitude, quality, satellites, HDOP, altitude above mean sea level, M, geoid separation.
  private mutating func gga(_ fields: inout NMEAFields, isRepeated: Bool) {
    fields.skip(1)
    var place = fields
    fields.skip(4)
    let said = fields.integer()
    setSatellites(fields.integer())
    if isRepeated { isCountShared = true }
    guard !isRepeated || quality ?? 0 == 0 else { return }
    // A GGA without a fix adds nothing to GNS or PUBX,00 with a fix.
    if said == 0, quality ?? 0 != 0 { return }
    quality = said ?? quality
    if said == 6 { isReckoned = true }
    setPosition(&place, .gga, isFix: said != 0)
    setDilution(&fields)
    setHeights(altitude: fields.decimal(), separation: fields.decimal(after: 1))
  }

  /// Time, latitude, longitude, a letter per system, satellites, HDOP, altitude above mean sea level, geoid separation.
  private mutating func gns(_ fields: inout NMEAFields, isRepeated: Bool) {
    fields.skip(1)
    var place = fields
    fields.skip(4)
    let said = fields.quality()
    setSatellites(fields.integer())
    if isRepeated { isCountShared = true }
    guard !isRepeated || quality ?? 0 == 0 else { return }
    quality = max(quality ?? 0, said)
    if said == 6 { isReckoned = true }
    setPosition(&place, .gns, isFix: said != 0)
    guard solution.sentence == .gns else { return }
    setDilution(&fields)
    setHeights(altitude: fields.decimal(), separation: fields.decimal())
  }

  /// Latitude, longitude, time, status.
  private mutating func gll(_ fields: inout NMEAFields) {
    var place = fields
    fields.skip(5)
    let isFix = fields.character() == UInt8(ascii: "A")
    setPosition(&place, .gll, isFix: isFix)
    if !parts.contains(.rmc) { isActive = isFix }
  }

  /// Reads the fields of PUBX,00 after the address.
  ///
  /// 00, time, latitude, longitude, height above the ellipsoid, status, horizontal and vertical accuracy, speed in
  /// kilometers per hour, course, vertical velocity, age of corrections, HDOP, VDOP, TDOP, satellites.
  private mutating func pubx00(_ fields: inout NMEAFields) {
    fields.skip(2)
    var place = fields
    fields.skip(4)
    let height = fields.decimal()?.scaled(to: 3)
    setStatus(fields.letters())
    setPosition(&place, .pubx00, isFix: statedFixType?.isGNSSFix == true)
    if solution.position != nil, solution.position?.heightMillimeters == nil {
      solution.position?.heightMillimeters = height.flatMap { Int32(exactly: $0) }
    }
    solution.horizontalAccuracyMillimeters = accuracy(&fields)
    solution.verticalAccuracyMillimeters = accuracy(&fields)
    if let speed = speedMillimetersPerSecond(fields.decimal()) {
      solution.groundSpeedMillimetersPerSecond = speed
    }
    setCourse(fields.decimal())
    fields.skip(2)
    if !parts.contains(.gga) { setDilution(&fields) } else { fields.skip(1) }
    fields.skip(2)
    setSatellites(fields.integer())
  }

  /// The field navStat of PUBX,00.
  private mutating func setStatus(_ letters: (UInt8, UInt8)) {
    switch letters {
    case (0x47, 0x32), (0x44, 0x32): statedFixType = .twoDimensional  // G2, D2
    case (0x47, 0x33), (0x44, 0x33): statedFixType = .threeDimensional  // G3, D3
    case (0x52, 0x4B): statedFixType = .gnssAndDeadReckoning  // RK
    case (0x44, 0x52): statedFixType = .deadReckoning  // DR
    case (0x54, 0x54): statedFixType = .timeOnly  // TT
    case _: statedFixType = NavigationSolution.FixType.none  // NF
    }
    quality = max(quality ?? 0, statedFixType?.isGNSSFix == true ? 1 : 0)
  }

  /// 04, time, date ddmmyy.
  private mutating func pubx04(_ fields: inout NMEAFields) {
    fields.skip(2)
    if date == nil { setDate(ddmmyy: fields.integer()) }
  }

  /// Operation mode, navigation mode, twelve satellites, PDOP, HDOP, VDOP.
  private mutating func gsa(_ fields: inout NMEAFields) {
    fields.skip(1)
    mode = fields.integer()
    for _ in 0..<12 where fields.character() != nil { listedSatellites += 1 }
    let dop = fields.decimal()
    solution.positionDOPE2 = dop.flatMap(dilution)
    if dop != nil { solution.isDilutionSaid = true }
    listedDOPE2 = fields.decimal()?.scaled(to: 2).flatMap { UInt16(exactly: $0) }
    solution.verticalDOPE2 = fields.decimal().flatMap(dilution)
  }

  /// Sets the number of used satellites: the number of one talker, or the total.
  private mutating func setSatellites(_ count: Int?) {
    if let count { solution.satelliteCount = max(solution.satelliteCount ?? 0, count) }
  }

  private mutating func setDilution(_ fields: inout NMEAFields) {
    guard let dop = fields.decimal() else { return }
    solution.isDilutionSaid = true
    solution.horizontalDOPE2 = dilution(dop)
  }

  /// Sets both heights; the height above the ellipsoid stays unknown if the receiver leaves the geoid separation empty.
  private mutating func setHeights(altitude: NMEAFields.Decimal?, separation: NMEAFields.Decimal?) {
    guard let altitude = altitude?.scaled(to: 3) else { return }
    solution.position?.heightMSLMillimeters = Int32(exactly: altitude)
    solution.position?.heightMillimeters = separation?.scaled(to: 3).flatMap {
      Int32(exactly: altitude.addingReportingOverflow($0).partialValue)
    }
  }

  /// Time, range deviation, ellipse (3), deviations of latitude, longitude and altitude in meters.
  private mutating func gst(_ fields: inout NMEAFields) {
    fields.skip(5)
    let north = fields.decimal()?.scaled(to: 3)
    let east = fields.decimal()?.scaled(to: 3)
    let up = fields.decimal()?.scaled(to: 3)
    if let north, let east {
      let horizontal = (Double(north) * Double(north) + Double(east) * Double(east)).squareRoot()
      solution.horizontalAccuracyMillimeters = UInt32(exactly: horizontal.rounded())
    }
    solution.verticalAccuracyMillimeters = up.flatMap { UInt32(exactly: $0) }
  }

  /// Course, T, course, M, speed in knots, N, speed in kilometers per hour.
  ///
  /// VTG has no time: after lost sentences it may belong to a later epoch, and then contradicts the RMC of this one.
  private mutating func vtg(_ fields: inout NMEAFields) {
    let course = fields.decimal()
    fields.skip(5)
    let speed = speedMillimetersPerSecond(fields.decimal())
    if parts.contains(.rmc), let speed, let known = solution.groundSpeedMillimetersPerSecond,
      (Int64(speed) - Int64(known)).magnitude > NMEAEpoch.speedToleranceMillimetersPerSecond
    {
      return
    }
    setCourse(course)
    if let speed { solution.groundSpeedMillimetersPerSecond = speed }
  }

  /// A speed that is written in kilometers per hour.
  private func speedMillimetersPerSecond(_ written: NMEAFields.Decimal?) -> Int32? {
    written?.scaled(to: 6).flatMap { Int32(exactly: $0 / 3_600 + $0 % 3_600 / 1_800) }
  }

  /// Time, day, month, year.
  private mutating func zda(_ fields: inout NMEAFields) {
    fields.skip(1)
    guard let day = fields.integer(), let month = fields.integer(), let year = fields.integer()
    else { return }
    setDate(Date(year: year, month: month, day: day))
  }

  private mutating func setPosition(
    _ fields: inout NMEAFields, _ sentence: NavigationSolution.Sentence, isFix: Bool
  ) {
    let latitude = fields.angleE7(limitDegrees: 90)
    let longitude = fields.angleE7(limitDegrees: 180)
    guard let latitude, let longitude else { return }
    if let other = solution.position, let before = solution.sentence {
      if isFix == isPositionFix {
        compare(latitude, longitude, other)
        guard sentence.rawValue > before.rawValue else { return }
      } else if isPositionFix {
        return
      }
    }
    isPositionFix = isFix
    solution.sentence = sentence
    solution.position = NavigationSolution.Position(
      latitudeE7: latitude, longitudeE7: longitude,
      heightMillimeters: solution.position?.heightMillimeters,
      heightMSLMillimeters: solution.position?.heightMSLMillimeters)
  }

  /// Notes the distance between the positions of two sentences.
  private mutating func compare(
    _ latitudeE7: Int32, _ longitudeE7: Int32, _ other: NavigationSolution.Position
  ) {
    let north = abs(Int64(latitudeE7) - Int64(other.latitudeE7))
    var east = abs(Int64(longitudeE7) - Int64(other.longitudeE7))
    // Differences up to a meter are ignored, because some receivers send different numbers of decimals per sentence.
    guard north > 100 || east > 100 else { return }
    east = min(east, 3_600_000_000 - east)
    let metersPerUnit = 0.0111195
    let northMeters = Double(north) * metersPerUnit
    let eastMeters = Double(east) * metersPerUnit * cosine(degrees: Double(latitudeE7) / 1e7)
    apartSquareMeters = max(
      apartSquareMeters, northMeters * northMeters + eastMeters * eastMeters)
  }

  private mutating func setCourse(_ course: NMEAFields.Decimal?) {
    guard let course = course?.scaled(to: 5), course <= 36_000_000 else { return }
    solution.headingOfMotionE5 = Int32(exactly: course)
  }

  private mutating func setDate(ddmmyy written: Int?) {
    guard let written, written >= 0 else { return }
    let year = written % 100
    setDate(
      Date(
        year: year < 80 ? 2_000 + year : 1_900 + year, month: written / 100 % 100,
        day: written / 10_000))
  }

  private mutating func setDate(_ written: Date) {
    let isReal =
      UTCTime(
        year: written.year, month: written.month, day: written.day, hour: 0, minute: 0,
        second: 0) != nil
    if isReal { date = written }
  }
}
