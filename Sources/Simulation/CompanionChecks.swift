import BinnacleBasics

/// Properties of the messages that repeat values of their epoch's NAV-PVT.
///
/// The messages are POSECEF, POSLLH, VELNED, SOL, VELECEF, TIMEGPS, TIMEUTC and COV. The properties hold in all
/// recordings. In the recordings NAV-SOL comes before its NAV-PVT, and the other messages come after their NAV-PVT.
enum CompanionChecks {
  static func violations(in frames: [RecordedFrame]) -> [ReceiverChecks.Violation] {
    var violations: [ReceiverChecks.Violation] = []
    var early: RecordedFrame?
    var pvt: RecordedPVT?
    func check(_ frame: RecordedFrame, _ pvt: RecordedPVT) {
      guard let property = brokenProperty(frame, pvt) else { return }
      violations.append(
        .init(property: property, offset: frame.offset, detail: "\(frame.payload) \(pvt)"))
    }
    for frame in frames where frame.kind == .ubx && frame.messageClass == 0x01 {
      if let found = RecordedPVT(frame) {
        pvt = found
        if let early, timeOfWeek(early) == found.iTOW { check(early, found) }
        early = nil
      } else if let pvt, timeOfWeek(frame) == pvt.iTOW {
        check(frame, pvt)
      } else if frame.id == 0x06 {
        early = frame
      }
    }
    return violations
  }

  private static func timeOfWeek(_ frame: RecordedFrame) -> UInt32? {
    var reader = ByteReader(frame.payload)
    return reader.u32()
  }

  private static func brokenProperty(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> String? {
    switch frame.id {
    case 0x01: agreesPOSECEF(frame, pvt) ? nil : "NAV-POSECEF agrees with NAV-PVT"
    case 0x11: agreesVELECEF(frame, pvt) ? nil : "NAV-VELECEF agrees with NAV-PVT"
    case 0x20: agreesTIMEGPS(frame, pvt) ? nil : "NAV-TIMEGPS agrees with NAV-PVT"
    case 0x36: agreesCOV(frame, pvt) ? nil : "NAV-COV agrees with NAV-PVT"
    case 0x02: agreesPOSLLH(frame, pvt) ? nil : "NAV-POSLLH agrees with NAV-PVT"
    case 0x06: agreesSOL(frame, pvt) ? nil : "NAV-SOL agrees with NAV-PVT"
    case 0x12: agreesVELNED(frame, pvt) ? nil : "NAV-VELNED agrees with NAV-PVT"
    case 0x21: agreesTIMEUTC(frame, pvt) ? nil : "NAV-TIMEUTC agrees with NAV-PVT"
    default: nil
    }
  }

  /// The consecutive signed numbers at an offset of the payload.
  private static func numbers(_ frame: RecordedFrame, from start: Int, _ count: Int) -> [Int32]? {
    var reader = ByteReader(Array(frame.payload.dropFirst(start)))
    var numbers: [Int32] = []
    for _ in 0..<count {
      guard let number = reader.i32() else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  private static func agreesPOSLLH(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 28, let told = numbers(frame, from: 4, 6) else { return false }
    return told == [
      pvt.longitude, pvt.latitude, pvt.height, pvt.heightMSL,
      Int32(bitPattern: pvt.horizontalAccuracy), Int32(bitPattern: pvt.verticalAccuracy),
    ]
  }

  /// Whether centimeters are rounded millimeters.
  private static func isRounded(_ centimeters: Int32, _ millimeters: Int32) -> Bool {
    (Int64(centimeters) * 10 - Int64(millimeters)).magnitude <= 5
  }

  private static func agreesVELNED(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 36, let told = numbers(frame, from: 4, 8) else { return false }
    let squares = told[0...2].reduce(0.0) { $0 + Double($1) * Double($1) }
    return isRounded(told[0], pvt.velocityNorth) && isRounded(told[1], pvt.velocityEast)
      && isRounded(told[2], pvt.velocityDown) && isRounded(told[4], pvt.groundSpeed)
      && (Double(told[3]) - squares.squareRoot()).magnitude <= 2
      && told[5] == pvt.headingOfMotion
      && isRounded(told[6], Int32(clamping: pvt.speedAccuracy))
      && told[7] == Int32(clamping: pvt.headingAccuracy)
  }

  private static func agreesSOL(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 52, let told = numbers(frame, from: 12, 8) else { return false }
    let dilution = UInt16(frame.payload[44]) | UInt16(frame.payload[45]) << 8
    return frame.payload[10] == pvt.fixType && (frame.payload[11] & 1 != 0) == pvt.isFixOK
      && frame.payload[47] == pvt.satelliteCount && dilution == pvt.positionDOP
      && isPlace(told[0...3], pvt) && isMotion(told[4...7], pvt)
  }

  private static func agreesPOSECEF(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 20, let told = numbers(frame, from: 4, 4) else { return false }
    return isPlace(told[...], pvt)
  }

  private static func agreesVELECEF(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 20, let told = numbers(frame, from: 4, 4) else { return false }
    return isMotion(told[...], pvt)
  }

  /// Whether x, y, z and an accuracy in centimeters match the position.
  private static func isPlace(_ told: ArraySlice<Int32>, _ pvt: RecordedPVT) -> Bool {
    let place = Ellipsoid.earthCentered(
      latitude: Double(pvt.latitude) / 1e7, longitude: Double(pvt.longitude) / 1e7,
      height: Double(pvt.height) / 1e3)
    let told = Array(told)
    return isNear(told[0], place.x * 100, 2) && isNear(told[1], place.y * 100, 2)
      && isNear(told[2], place.z * 100, 2) && hasAccuracy(UInt32(bitPattern: told[3]), pvt)
  }

  /// Whether x, y, z and an accuracy in centimeters per second match the velocity.
  private static func isMotion(_ told: ArraySlice<Int32>, _ pvt: RecordedPVT) -> Bool {
    let velocity = Ellipsoid.earthCentered(
      north: Double(pvt.velocityNorth), east: Double(pvt.velocityEast),
      down: Double(pvt.velocityDown), latitude: Double(pvt.latitude) / 1e7,
      longitude: Double(pvt.longitude) / 1e7)
    let told = Array(told)
    return isNear(told[0], velocity.x / 10, 1) && isNear(told[1], velocity.y / 10, 1)
      && isNear(told[2], velocity.z / 10, 1)
      && isRounded(told[3], Int32(clamping: pvt.speedAccuracy))
  }

  private static func isNear(_ told: Int32, _ value: Double, _ limit: Double) -> Bool {
    (Double(told) - value).magnitude <= limit
  }

  /// Checks the leap seconds and the fraction that the time of week leaves over.
  ///
  /// The fraction of M10 differs from NAV-PVT's fraction by some 40 ns (gpsd-m10-spg510-glo.log).
  private static func agreesTIMEGPS(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 16, let told = numbers(frame, from: 4, 1) else { return false }
    guard pvt.isTimeKnown, pvt.isFixOK else { return true }
    let rest = (Int64(told[0]) - Int64(pvt.nano)) % 1_000_000
    let distance = min(rest.magnitude, 1_000_000 - rest.magnitude)
    return distance <= 100 && frame.payload[10] == UInt8(GPSTime.leapSeconds)
  }

  /// Checks that the variances of the horizontal plane give hAcc and the height's gives vAcc (Docs/SOURCES.md, U4).
  private static func agreesCOV(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 64, let told = numbers(frame, from: 16, 6) else { return false }
    guard frame.payload[5] == 1, pvt.isFixOK else { return true }
    func variance(_ index: Int) -> Double {
      Double(Float(bitPattern: UInt32(bitPattern: told[index])))
    }
    func isNear(_ squared: Double, _ millimeters: UInt32) -> Bool {
      (squared.squareRoot() * 1_000 - Double(millimeters)).magnitude
        <= 2 + Double(millimeters) * 0.002
    }
    return isNear(variance(0) + variance(3), pvt.horizontalAccuracy)
      && isNear(variance(5), pvt.verticalAccuracy)
  }

  private static func hasAccuracy(_ centimeters: UInt32, _ pvt: RecordedPVT) -> Bool {
    guard pvt.horizontalAccuracy != UInt32.max else { return true }
    let horizontal = Double(pvt.horizontalAccuracy)
    let vertical = Double(pvt.verticalAccuracy)
    let length = (horizontal * horizontal + vertical * vertical).squareRoot() / 10
    return (Double(centimeters) - length).magnitude <= 1
  }

  private static func agreesTIMEUTC(_ frame: RecordedFrame, _ pvt: RecordedPVT) -> Bool {
    guard frame.payload.count == 20, let told = numbers(frame, from: 4, 2) else { return false }
    let year = UInt16(frame.payload[12]) | UInt16(frame.payload[13]) << 8
    return UInt32(bitPattern: told[0]) == pvt.timeAccuracy && told[1] == pvt.nano
      && year == pvt.year
      && Array(frame.payload[14..<19]) == [pvt.month, pvt.day, pvt.hour, pvt.minute, pvt.second]
      && frame.payload[19] & 4 == pvt.valid & 4
  }
}
