import BinnacleBasics

/// The messages that repeat values of NAV-PVT, most of them older than NAV-PVT.
///
/// The layouts are in Docs/SOURCES.md, U1.
extension EpochEncoder {
  /// UBX-NAV-POSLLH, 28 bytes, in the units of NAV-PVT.
  static func navPOSLLH(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.i32(epoch.longitudeE7)
    writer.i32(epoch.latitudeE7)
    writer.i32(epoch.heightMillimeters)
    writer.i32(epoch.heightMSLMillimeters)
    writer.u32(epoch.horizontalAccuracyMillimeters)
    writer.u32(epoch.verticalAccuracyMillimeters)
    return writer.bytes
  }

  /// UBX-NAV-VELNED, 36 bytes, in centimeters per second.
  static func navVELNED(_ epoch: Epoch) -> [UInt8] {
    let down = Double(epoch.velocityDown)
    let ground = Double(epoch.groundSpeed)
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.i32(tenth(epoch.velocityNorth))
    writer.i32(tenth(epoch.velocityEast))
    writer.i32(tenth(epoch.velocityDown))
    writer.u32(UInt32((ground * ground + down * down).squareRoot() / 10 + 0.5))
    writer.u32(UInt32(tenth(epoch.groundSpeed)))
    writer.i32(epoch.headingOfMotionE5)
    writer.u32((epoch.speedAccuracy + 5) / 10)
    writer.u32(epoch.headingAccuracyE5)
    return writer.bytes
  }

  /// UBX-NAV-SOL, 52 bytes: earth-centered, in centimeters.
  ///
  /// Without any position, SOL reports the point where the first meridian crosses the equator, as NAV-PVT's zeros do.
  static func navSOL(_ epoch: Epoch, _ generation: Generation) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.i32(fractionNanoseconds(epoch))
    writer.i16(Int16(truncatingIfNeeded: GPSTime.week(of: epoch.shownSecond)))
    writer.u8(epoch.fixType)
    // No document explains bits 4, 6 and 7; they are those of pyubx2-mixed.log and gpsd-gen7-gr701w-fixloss.log.
    writer.u8(
      0xD0 | (epoch.isFixOK ? 1 : 0) | (epoch.isDateValid ? 4 : 0) | (epoch.isTimeValid ? 8 : 0))
    writePlace(epoch, &writer)
    writeVelocity(epoch, &writer)
    writer.u16(epoch.positionDOPE2)
    writer.u8(generation.reservedOfSOL.0)
    writer.u8(UInt8(epoch.usedCount))
    writer.u32(generation.reservedOfSOL.1)
    return writer.bytes
  }

  /// UBX-NAV-POSECEF, 20 bytes (recording gpsd-ublox8-uniqid-monhw.log: the same numbers as NAV-SOL).
  static func navPOSECEF(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writePlace(epoch, &writer)
    return writer.bytes
  }

  /// UBX-NAV-VELECEF, 20 bytes (as NAV-POSECEF).
  static func navVELECEF(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writeVelocity(epoch, &writer)
    return writer.bytes
  }

  /// UBX-NAV-COV, 64 bytes: the squares of the accuracies.
  ///
  /// hAcc is the root of the variances north plus east, vAcc the root of the variance down (Docs/SOURCES.md, U4).
  static func navCOV(_ epoch: Epoch) -> [UInt8] {
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    let isKnown = epoch.fixType >= 2
    writer.put([0, isKnown ? 1 : 0, isKnown ? 1 : 0] + [UInt8](repeating: 0, count: 9))
    let horizontal = Float(epoch.horizontalAccuracyMillimeters) / 1_000
    let vertical = Float(epoch.verticalAccuracyMillimeters) / 1_000
    let speed = Float(epoch.speedAccuracy) / 1_000
    let half = horizontal * horizontal / 2
    for variance in [half, 0, 0, half, 0, vertical * vertical] {
      writer.u32(isKnown ? variance.bitPattern : 0)
    }
    for variance in [speed, 0, 0, speed, 0, speed] {
      writer.u32(isKnown ? (variance * variance).bitPattern : 0)
    }
    return writer.bytes
  }

  private static func writePlace(_ epoch: Epoch, _ writer: inout ByteWriter) {
    let place = Ellipsoid.earthCentered(
      latitude: Double(epoch.latitudeE7) / 1e7, longitude: Double(epoch.longitudeE7) / 1e7,
      height: Double(epoch.heightMillimeters) / 1e3)
    for meters in [place.x, place.y, place.z] { writer.i32(nearest(meters * 100)) }
    writer.u32(positionAccuracyCentimeters(epoch))
  }

  private static func writeVelocity(_ epoch: Epoch, _ writer: inout ByteWriter) {
    let velocity = Ellipsoid.earthCentered(
      north: Double(epoch.velocityNorth), east: Double(epoch.velocityEast),
      down: Double(epoch.velocityDown), latitude: Double(epoch.latitudeE7) / 1e7,
      longitude: Double(epoch.longitudeE7) / 1e7)
    for millimeters in [velocity.x, velocity.y, velocity.z] {
      writer.i32(nearest(millimeters / 10))
    }
    writer.u32((epoch.speedAccuracy + 5) / 10)
  }

  private static func positionAccuracyCentimeters(_ epoch: Epoch) -> UInt32 {
    guard epoch.horizontalAccuracyMillimeters != UInt32.max else { return UInt32.max }
    let horizontal = Double(epoch.horizontalAccuracyMillimeters)
    let vertical = Double(epoch.verticalAccuracyMillimeters)
    let length = (horizontal * horizontal + vertical * vertical).squareRoot()
    return UInt32(exactly: (length / 10).rounded()) ?? UInt32.max
  }

  private static func tenth(_ value: Int32) -> Int32 { nearest(Double(value) / 10) }

  private static func nearest(_ value: Double) -> Int32 { Int32(exactly: value.rounded()) ?? 0 }
}
