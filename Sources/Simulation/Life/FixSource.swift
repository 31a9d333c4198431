import BinnacleBasics

/// A receiver that only sends: a message with a position and a speed of 20 m/s for each call, on a straight road.
///
/// A whole simulated receiver would cost more than all else on a board whose subject is the life of apps.
struct FixSource: Sendable {
  private static let start = UTCTime(secondsSince1970: 1_790_000_000)
  /// The Sunday before, on which the week of the receiver's time began.
  private static let weekStart: Int64 = 1_789_862_400

  static func time(at now: Instant) -> UTCTime { start + (now - .zero) }

  /// The bytes of UBX-NAV-PVT at an instant.
  static func message(at now: Instant) -> [UInt8] {
    let time = time(at: now)
    let second = UTCTime(secondsSince1970: time.secondsSince1970, nanoseconds: 0)
    // Receivers' time is 18 s ahead of UTC.
    let inWeek = time.secondsSince1970 - weekStart + 18
    var epoch = Epoch(
      iTOWMilliseconds: UInt32(inWeek % 604_800) * 1_000 + UInt32(time.nanoseconds / 1_000_000),
      shownSecond: second)
    epoch.nano = Int32(time.nanoseconds)
    epoch.isDateValid = true
    epoch.isTimeValid = true
    epoch.isFullyResolved = true
    epoch.timeAccuracyNanoseconds = 30
    epoch.fixType = 3
    epoch.isFixOK = true
    // 20 m to the north in each second.
    let meters = (now - .zero).seconds * 20
    epoch.latitudeE7 = 480_000_000 + Int32(meters * 89.9)
    epoch.longitudeE7 = 110_000_000
    epoch.horizontalAccuracyMillimeters = 3_000
    epoch.verticalAccuracyMillimeters = 4_000
    epoch.velocityNorth = 20_000
    epoch.groundSpeed = 20_000
    epoch.speedAccuracy = 200
    epoch.headingAccuracyE5 = 100_000
    epoch.positionDOPE2 = 150
    return EpochEncoder.frame(.navPVT, of: epoch, generation: .m10) ?? []
  }
}
