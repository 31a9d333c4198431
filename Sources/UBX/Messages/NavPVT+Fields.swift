import BinnacleBasics

/// Fields that NAV-PVAT and HNR-PVT have in the order of NAV-PVT, but at other offsets.
extension NavPVT {
  /// Reads year, month, day, hour, minute and second.
  mutating func readClock(_ payload: Payload, from offset: Int) {
    year = payload.u16(offset)
    month = payload.u8(offset + 2)
    day = payload.u8(offset + 3)
    hour = payload.u8(offset + 4)
    minute = payload.u8(offset + 5)
    second = payload.u8(offset + 6)
  }

  func writeClock(to writer: inout ByteWriter) {
    writer.u16(year)
    writer.put([month, day, hour, minute, second])
  }

  /// Reads longitude, latitude, and the heights above ellipsoid and mean sea level.
  mutating func readPosition(_ payload: Payload, from offset: Int) {
    longitudeE7 = payload.i32(offset)
    latitudeE7 = payload.i32(offset + 4)
    heightMillimeters = payload.i32(offset + 8)
    heightMSLMillimeters = payload.i32(offset + 12)
  }

  func writePosition(to writer: inout ByteWriter) {
    for number in [longitudeE7, latitudeE7, heightMillimeters, heightMSLMillimeters] {
      writer.i32(number)
    }
  }
}
