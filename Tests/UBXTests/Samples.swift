@testable import UBX

/// Messages as a receiver would send them, for tests to vary.
enum Samples {
  /// A good 3D fix near Greenwich at 12:00:30 UTC.
  static func pvt(iTOW: UInt32 = 43_248_000) -> NavPVT {
    var pvt = NavPVT()
    pvt.iTOWMilliseconds = iTOW
    (pvt.year, pvt.month, pvt.day) = (2026, 11, 22)
    (pvt.hour, pvt.minute, pvt.second) = (12, 0, 30)
    pvt.valid = [.date, .time, .fullyResolved]
    pvt.timeAccuracyNanoseconds = 21
    pvt.fixType = 3
    pvt.flags = .gnssFixOK
    pvt.satelliteCount = 14
    pvt.latitudeE7 = 514_778_900
    pvt.longitudeE7 = -14_750
    pvt.heightMillimeters = 93_123
    pvt.heightMSLMillimeters = 47_456
    pvt.horizontalAccuracyMillimeters = 1_250
    pvt.verticalAccuracyMillimeters = 2_100
    pvt.groundSpeedMillimetersPerSecond = 1_500
    pvt.speedAccuracyMillimetersPerSecond = 120
    pvt.headingAccuracyE5 = 250_000
    pvt.positionDOPE2 = 131
    return pvt
  }

  static func sentence(_ text: String) -> [UInt8] { NMEASentence(text: text).frame }

  /// A RTCM 3 frame with the payload length given.
  static func rtcm(number: UInt16, length: Int) -> [UInt8] {
    var bytes: [UInt8] = [0xD3, UInt8(length >> 8), UInt8(length & 0xFF)]
    bytes += [UInt8(number >> 4), UInt8(number & 15) << 4]
    bytes += (2..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let crc = bytes.withUnsafeBytes { Checksum.crc24Q($0) }
    return bytes + [UInt8(crc >> 16), UInt8(crc >> 8 & 0xFF), UInt8(crc & 0xFF)]
  }

  /// One frame of each protocol, a poll without a payload among them.
  static let mixed: [[UInt8]] = [
    pvt().frame, sentence("GNRMC,120030.00,A,5128.67340,N,00000.08850,W,2.916,,221126,,,A,V"),
    rtcm(number: 1_075, length: 300), Poll(MonVER.self).frame, sentence("GNTXT,01,01,02,u-blox"),
    NavEOE(iTOWMilliseconds: 43_248_000).frame,
  ]

  static func receptions(
    _ frames: [[UInt8]], _ publication: StreamDecoder.Publication
  ) -> [Reception] {
    var decoder = StreamDecoder(publication: publication)
    var receptions: [Reception] = []
    for frame in frames {
      decoder.append(frame)
      while let reception = decoder.next() { receptions.append(reception) }
    }
    decoder.finish()
    while let reception = decoder.next() { receptions.append(reception) }
    return receptions
  }

  /// The output, as letters: `m` for a message, the source's initial for a solution.
  static func story(_ frames: [[UInt8]], _ publication: StreamDecoder.Publication) -> String {
    receptions(frames, publication).map { reception in
      switch reception {
      case .message: "m"
      case .sky: "y"
      case .solution(let solution):
        switch solution.source {
        case .navPVT: "P"
        case .navSOL: "S"
        case .navPOSLLH: "L"
        case .nmea: "N"
        case .navPVAT: "A"
        case .hnrPVT: "H"
        }
      }
    }.joined()
  }

  static func solutions(
    _ frames: [[UInt8]], _ publication: StreamDecoder.Publication = .whenEnded
  ) -> [NavigationSolution] {
    receptions(frames, publication).compactMap { reception in
      if case .solution(let solution) = reception { solution } else { nil }
    }
  }

  /// The high precision position of the same epoch.
  static func highPrecision() -> NavHPPOSLLH {
    var message = NavHPPOSLLH()
    message.iTOWMilliseconds = 43_248_000
    (message.latitudeE7, message.latitudePartE9) = (514_778_900, 99)
    (message.longitudeE7, message.longitudePartE9) = (-14_750, -99)
    (message.heightMillimeters, message.heightPartE4) = (93_123, 4)
    (message.heightMSLMillimeters, message.heightMSLPartE4) = (47_456, -9)
    (message.horizontalAccuracyE4, message.verticalAccuracyE4) = (1_015, 2_000)
    return message
  }

  /// 45 degrees north, 90 degrees east, 100 m above the ellipsoid, 2 m/s to the west.
  static func sol(iTOW: UInt32) -> NavSOL {
    var sol = NavSOL()
    sol.iTOWMilliseconds = iTOW
    (sol.gpsFix, sol.flags) = (3, [.fixOK, .timeOfWeekSet, .weekNumberSet])
    (sol.ecefYCentimeters, sol.ecefZCentimeters) = (451_766_159, 448_741_912)
    sol.ecefVXCentimetersPerSecond = 200
    (sol.positionAccuracyCentimeters, sol.speedAccuracyCentimetersPerSecond) = (450, 30)
    (sol.positionDOPE2, sol.satelliteCount) = (210, 7)
    return sol
  }

  /// The five messages of an epoch of u-blox 6 and 7.
  static func generation6(iTOW: UInt32) -> [[UInt8]] {
    var position = NavPOSLLH()
    position.iTOWMilliseconds = iTOW
    (position.latitudeE7, position.longitudeE7) = (514_778_900, -14_750)
    (position.heightMillimeters, position.heightMSLMillimeters) = (93_123, 47_456)
    position.horizontalAccuracyMillimeters = 2_500
    position.verticalAccuracyMillimeters = 4_000
    var status = NavSTATUS()
    (status.iTOWMilliseconds, status.gpsFix, status.flags) = (iTOW, 3, .fixOK)
    var velocity = NavVELNED()
    velocity.iTOWMilliseconds = iTOW
    velocity.northCentimetersPerSecond = 120
    velocity.eastCentimetersPerSecond = -34
    velocity.downCentimetersPerSecond = 5
    velocity.groundSpeedCentimetersPerSecond = 125
    var time = NavTIMEUTC()
    (time.iTOWMilliseconds, time.nanoseconds) = (iTOW, -500_000)
    (time.year, time.month, time.day) = (2026, 11, 22)
    (time.hour, time.minute, time.second) = (12, 0, 30)
    time.valid = [.timeOfWeek, .weekNumber, .utc]
    return [position.frame, status.frame, sol(iTOW: iTOW).frame, velocity.frame, time.frame]
  }
}
