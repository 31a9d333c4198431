import Basics

/// The messages that tell again what NAV-PVT tells, most of them from before there was a NAV-PVT (layouts in
/// `ublox.md` section 1.2).
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
  /// Without any position it is where the first meridian crosses the equator, as NAV-PVT's zeros say.
  static func navSOL(_ epoch: Epoch) -> [UInt8] {
    let latitude = Double(epoch.latitudeE7) / 1e7
    let longitude = Double(epoch.longitudeE7) / 1e7
    let place = Ellipsoid.earthCentered(
      latitude: latitude, longitude: longitude, height: Double(epoch.heightMillimeters) / 1e3)
    let velocity = Ellipsoid.earthCentered(
      north: Double(epoch.velocityNorth), east: Double(epoch.velocityEast),
      down: Double(epoch.velocityDown), latitude: latitude, longitude: longitude)
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    // What the rounding of the time of week to milliseconds leaves over.
    let rest = epoch.nano % 1_000_000
    writer.i32(rest > 500_000 ? rest - 1_000_000 : rest < -500_000 ? rest + 1_000_000 : rest)
    writer.i16(Int16(truncatingIfNeeded: GPSTime.week(of: epoch.shownSecond)))
    writer.u8(epoch.fixType)
    // Bits 4, 6 and 7, which no document explains, are those of pyubx2-mixed.log.
    writer.u8(
      0xD0 | (epoch.isFixOK ? 1 : 0) | (epoch.isDateValid ? 4 : 0) | (epoch.isTimeValid ? 8 : 0))
    for meters in [place.x, place.y, place.z] { writer.i32(nearest(meters * 100)) }
    writer.u32(positionAccuracyCentimeters(epoch))
    for millimeters in [velocity.x, velocity.y, velocity.z] {
      writer.i32(nearest(millimeters / 10))
    }
    writer.u32((epoch.speedAccuracy + 5) / 10)
    writer.u16(epoch.positionDOPE2)
    // The reserved bytes are those of pyubx2-mixed.log.
    writer.u8(2)
    writer.u8(UInt8(epoch.usedCount))
    writer.u32(0x0003_4AE0)
    return writer.bytes
  }

  /// UBX-NAV-TIMEUTC, 20 bytes.
  static func navTIMEUTC(_ epoch: Epoch, _ generation: Generation) -> [UInt8] {
    let calendar = epoch.shownSecond.calendar
    var writer = ByteWriter()
    writer.u32(epoch.iTOWMilliseconds)
    writer.u32(epoch.timeAccuracyNanoseconds)
    writer.i32(epoch.nano)
    writer.u16(UInt16(calendar.year))
    for field in [
      calendar.month, calendar.day, calendar.hour, calendar.minute, calendar.second,
    ] {
      writer.u8(UInt8(field))
    }
    // Bits 4 to 7 are NAV-PVT's in pyubx2-mixed.log and gpsd-zed-f9p-hp.log.
    var valid = generation.undocumentedValidBits
    if epoch.isTimeValid { valid |= 1 }
    if epoch.isDateValid { valid |= 2 }
    if epoch.isFullyResolved { valid |= 4 }
    writer.u8(valid)
    return writer.bytes
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
