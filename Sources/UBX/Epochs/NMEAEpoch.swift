import Basics

/// Joins the sentences of one epoch, which have the same time of day, into a solution.
///
/// RMC, GGA, GST and ZDA bear the time; GSA and VTG belong to the sentences before them. Receivers without a time
/// leave it empty, so that an epoch also ends when a sentence comes again. An epoch counts when it has RMC or GGA. The checksum, an exclusive or,
/// lets two flipped bits pass: where RMC and GGA disagree, one is damaged, and the position is unknown.
/// Field tables: u-blox M10 SPG 5.10 interface description, "NMEA protocol".
struct NMEAEpoch: Equatable, Codable, Sendable {
  /// The sentences that have come.
  struct Parts: OptionSet, Codable, Sendable {
    let rawValue: UInt8
    static let rmc = Parts(rawValue: 1 << 0)
    static let gga = Parts(rawValue: 1 << 1)
    static let gsa = Parts(rawValue: 1 << 2)
    static let gst = Parts(rawValue: 1 << 3)
    static let vtg = Parts(rawValue: 1 << 4)
    static let zda = Parts(rawValue: 1 << 5)
    static let withPosition: Parts = [.rmc, .gga]
  }

  private struct Date: Equatable, Codable {
    var year: Int
    var month: Int
    var day: Int
  }

  /// Most that RMC and GGA differ, which some receivers write with different decimals: a meter.
  private static let disputeE7: Int64 = 100

  private(set) var parts: Parts = []
  /// Nanoseconds since midnight.
  private(set) var timeOfDay: Int64?
  private var date: Date?
  /// RMC's status is A.
  private var isActive = false
  /// RMC's or GGA's word for a position that is only reckoned.
  private var isReckoned = false
  /// GGA's quality, 0 is no fix.
  private var quality: Int?
  /// GSA: 1 no fix, 2 2D, 3 3D.
  private var mode: Int?
  /// RMC and GGA, which say the same position, do not.
  private var isPositionDisputed = false
  private var solution = NavigationSolution(source: .nmea)

  init() {}

  var hasPosition: Bool { !parts.isDisjoint(with: .withPosition) }

  /// Which sentence it is, whoever the talker; nil when it says nothing of a solution.
  static func part(of payload: Payload) -> Parts? {
    guard payload.count > 6, payload[5] == UInt8(ascii: ","), payload[0] != UInt8(ascii: "P")
    else { return nil }
    switch (payload[2], payload[3], payload[4]) {
    case (0x52, 0x4D, 0x43): return .rmc
    case (0x47, 0x47, 0x41): return .gga
    case (0x47, 0x53, 0x41): return .gsa
    case (0x47, 0x53, 0x54): return .gst
    case (0x56, 0x54, 0x47): return .vtg
    case (0x5A, 0x44, 0x41): return .zda
    case _: return nil
    }
  }

  /// The time in a sentence, if it bears one.
  static func timeOfDay(in payload: Payload, _ part: Parts) -> Int64? {
    guard part != .gsa, part != .vtg else { return nil }
    var fields = NMEAFields(payload)
    return fields.timeOfDay()
  }

  mutating func take(_ part: Parts, _ payload: Payload) {
    parts.insert(part)
    timeOfDay = timeOfDay ?? NMEAEpoch.timeOfDay(in: payload, part)
    var fields = NMEAFields(payload)
    switch part {
    case .rmc: rmc(&fields)
    case .gga: gga(&fields)
    case .gsa: gsa(&fields)
    case .gst: gst(&fields)
    case .vtg: vtg(&fields)
    case _: zda(&fields)
    }
  }

  /// What the sentences say together.
  var joined: NavigationSolution {
    var joined = solution
    joined.isDateValid = date != nil
    joined.isTimeValid = timeOfDay != nil
    if let date, let timeOfDay {
      joined.utc = UTCTime(
        year: date.year, month: date.month, day: date.day, hour: 0, minute: 0, second: 0,
        nanoseconds: timeOfDay)
    }
    joined.fixType = fixType
    joined.isFixOK = parts.contains(.rmc) ? isActive : (1...5).contains(quality ?? 0)
    if isPositionDisputed { joined.position = nil }
    joined.dropPositionNowhere()
    return joined
  }

  private var fixType: NavigationSolution.FixType? {
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
    setPosition(&fields)
    let speed = fields.decimal()
    let course = fields.decimal()
    let written = fields.integer()
    fields.skip(2)
    if fields.character() == UInt8(ascii: "E") { isReckoned = true }
    // A VTG before it may be of the epoch before, whose RMC and GGA were lost.
    solution.groundSpeedMillimetersPerSecond = speed?.scaled(to: 6).flatMap(fromMicroknots)
    solution.headingOfMotionE5 = nil
    setCourse(course)
    guard let written, written >= 0 else { return }
    let year = written % 100
    setDate(
      Date(
        year: year < 80 ? 2_000 + year : 1_900 + year, month: written / 100 % 100,
        day: written / 10_000))
  }

  /// Time, latitude, longitude, quality, satellites, HDOP, altitude above mean sea level, M, geoid separation.
  private mutating func gga(_ fields: inout NMEAFields) {
    fields.skip(1)
    setPosition(&fields)
    quality = fields.integer()
    if quality == 6 { isReckoned = true }
    solution.satelliteCount = fields.integer()
    solution.horizontalDOPE2 = dilution(&fields)
    let altitude = fields.decimal()?.scaled(to: 3)
    fields.skip(1)
    let separation = fields.decimal()?.scaled(to: 3)
    guard let altitude else { return }
    solution.position?.heightMSLMillimeters = Int32(exactly: altitude)
    solution.position?.heightMillimeters = separation.flatMap {
      Int32(exactly: altitude.addingReportingOverflow($0).partialValue)
    }
  }

  /// Operation mode, navigation mode, twelve satellites, PDOP.
  private mutating func gsa(_ fields: inout NMEAFields) {
    fields.skip(1)
    mode = fields.integer()
    fields.skip(12)
    solution.positionDOPE2 = dilution(&fields)
  }

  private func dilution(_ fields: inout NMEAFields) -> UInt16? {
    fields.decimal()?.scaled(to: 2).flatMap { UInt16(exactly: $0) }.flatMap(knownDOP)
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
  private mutating func vtg(_ fields: inout NMEAFields) {
    setCourse(fields.decimal())
    fields.skip(5)
    guard let speed = fields.decimal()?.scaled(to: 6) else { return }
    solution.groundSpeedMillimetersPerSecond = Int32(exactly: speed / 3_600 + speed % 3_600 / 1_800)
  }

  /// Time, day, month, year.
  private mutating func zda(_ fields: inout NMEAFields) {
    fields.skip(1)
    guard let day = fields.integer(), let month = fields.integer(), let year = fields.integer()
    else { return }
    setDate(Date(year: year, month: month, day: day))
  }

  private mutating func setPosition(_ fields: inout NMEAFields) {
    let latitude = fields.angleE7(limitDegrees: 90)
    let longitude = fields.angleE7(limitDegrees: 180)
    guard let latitude, let longitude else { return }
    if let other = solution.position {
      isPositionDisputed =
        abs(Int64(latitude) - Int64(other.latitudeE7)) > NMEAEpoch.disputeE7
        || abs(Int64(longitude) - Int64(other.longitudeE7)) > NMEAEpoch.disputeE7
    }
    solution.position = NavigationSolution.Position(
      latitudeE7: latitude, longitudeE7: longitude,
      heightMillimeters: solution.position?.heightMillimeters,
      heightMSLMillimeters: solution.position?.heightMSLMillimeters)
  }

  /// A knot is 1,852 meters per hour.
  private func fromMicroknots(_ speed: Int64) -> Int32? {
    guard speed.magnitude < 1_000_000_000_000 else { return nil }
    return Int32(exactly: (speed * 1_852 + 1_800_000) / 3_600_000)
  }

  private mutating func setCourse(_ course: NMEAFields.Decimal?) {
    guard let course = course?.scaled(to: 5) else { return }
    solution.headingOfMotionE5 = Int32(exactly: course)
  }

  private mutating func setDate(_ written: Date) {
    let isReal =
      UTCTime(
        year: written.year, month: written.month, day: written.day, hour: 0, minute: 0,
        second: 0) != nil
    if isReal { date = written }
  }
}
