import BinnacleBasics
import BinnacleModel

/// The encoding of a sky; `Docs/SPEC-wire.md` has the layout.
enum SkyCoding {
  /// The value of an unknown dilution or azimuth.
  private static let unknown = UInt16.max
  private static let unknownNumber: UInt8 = 255
  private static let unknownElevation: Int8 = -91
  private static let usedBit: UInt8 = 1

  static func write(_ sky: Sky, into writer: inout ByteWriter) {
    writer.u8(sky.time == nil ? 0 : 1)
    if let time = sky.time {
      writer.i64(time.secondsSince1970)
      writer.i32(time.nanoseconds)
    }
    for factor in [sky.horizontalDilution, sky.verticalDilution, sky.positionDilution] {
      writer.u16(hundredths(factor))
    }
    let listed = sky.satellites.prefix(Sky.satellitesMax)
    writer.u8(UInt8(listed.count))
    for satellite in listed { write(satellite, into: &writer) }
  }

  static func read(from reader: inout FieldReader) throws(WireError) -> Sky {
    var sky = Sky()
    if try reader.flag("hasTime") { sky.time = try UpdatePacket.readTime(from: &reader) }
    sky.horizontalDilution = dilution(try reader.u16())
    sky.verticalDilution = dilution(try reader.u16())
    sky.positionDilution = dilution(try reader.u16())
    for _ in 0..<(try reader.u8()) { sky.satellites.append(try readSatellite(from: &reader)) }
    return sky
  }

  private static func write(_ satellite: Satellite, into writer: inout ByteWriter) {
    writer.u8(satellite.constellation.rawValue)
    writer.u8(code(satellite.number, in: 1...254) ?? unknownNumber)
    writer.i8(code(satellite.elevationDegrees, in: -90...90) ?? unknownElevation)
    writer.u16(code(satellite.azimuthDegrees, in: 0...360) ?? unknown)
    writer.u8(code(satellite.carrierToNoiseDBHz, in: 1...254) ?? 0)
    writer.u8((satellite.isUsed ? usedBit : 0) | (satellite.health?.rawValue ?? 0) << 1)
  }

  private static func readSatellite(
    from reader: inout FieldReader
  ) throws(WireError) -> Satellite {
    let constellation: Satellite.Constellation = try reader.choice("constellation")
    let number = try reader.u8()
    let elevation = Int8(bitPattern: try reader.u8())
    let azimuth = try reader.u16()
    let signal = try reader.u8()
    let flags = try reader.u8()
    guard number > 0 else { throw reader.invalid("number") }
    guard elevation == unknownElevation || (-90...90).contains(elevation) else {
      throw reader.invalid("elevation")
    }
    guard azimuth == unknown || azimuth <= 360 else { throw reader.invalid("azimuth") }
    guard signal < 255 else { throw reader.invalid("signal") }
    let health = Satellite.Health(rawValue: flags >> 1)
    guard flags >> 1 == 0 || health != nil else { throw reader.invalid("flags") }
    return Satellite(
      constellation: constellation, number: number == unknownNumber ? nil : Int(number),
      elevationDegrees: elevation == unknownElevation ? nil : Int(elevation),
      azimuthDegrees: azimuth == unknown ? nil : Int(azimuth),
      carrierToNoiseDBHz: signal == 0 ? nil : Int(signal), isUsed: flags & usedBit != 0,
      health: health)
  }

  private static func code<Code: FixedWidthInteger>(
    _ value: Int?, in range: ClosedRange<Int>
  ) -> Code? {
    value.flatMap { range.contains($0) ? Code($0) : nil }
  }

  private static func hundredths(_ factor: Double?) -> UInt16 {
    factor.flatMap { UInt16(exactly: ($0 * 100).rounded()) } ?? unknown
  }

  private static func dilution(_ hundredths: UInt16) -> Double? {
    hundredths == unknown ? nil : Double(hundredths) / 100
  }
}
