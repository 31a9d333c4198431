import BinnacleBasics

/// Position, velocity and time in earth-centered coordinates: UBX-NAV-SOL, 01 06, u-blox 6 to M8.
///
/// u-blox 7 receiver description (GPS.G7-SW-12001), NAV-SOL.
public struct NavSOL: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x06

  public var iTOWMilliseconds: UInt32 = 0
  /// -500,000 to 500,000, to be added to the time of week.
  public var fTOWNanoseconds: Int32 = 0
  public var week: Int16 = 0
  /// As `NavPVT.fixType`.
  public var gpsFix: UInt8 = 0
  public var flags: NavSTATUS.Flags = []
  public var ecefXCentimeters: Int32 = 0
  public var ecefYCentimeters: Int32 = 0
  public var ecefZCentimeters: Int32 = 0
  /// Three-dimensional; 0xFFFFFFFF is unknown.
  public var positionAccuracyCentimeters: UInt32 = 0
  public var ecefVXCentimetersPerSecond: Int32 = 0
  public var ecefVYCentimetersPerSecond: Int32 = 0
  public var ecefVZCentimetersPerSecond: Int32 = 0
  public var speedAccuracyCentimetersPerSecond: UInt32 = 0
  public var positionDOPE2: UInt16 = 0
  public var satelliteCount: UInt8 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 52 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    fTOWNanoseconds = payload.i32(4)
    week = payload.i16(8)
    gpsFix = payload.u8(10)
    flags = NavSTATUS.Flags(rawValue: payload.u8(11))
    ecefXCentimeters = payload.i32(12)
    ecefYCentimeters = payload.i32(16)
    ecefZCentimeters = payload.i32(20)
    positionAccuracyCentimeters = payload.u32(24)
    ecefVXCentimetersPerSecond = payload.i32(28)
    ecefVYCentimetersPerSecond = payload.i32(32)
    ecefVZCentimetersPerSecond = payload.i32(36)
    speedAccuracyCentimetersPerSecond = payload.u32(40)
    positionDOPE2 = payload.u16(44)
    satelliteCount = payload.u8(47)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.i32(fTOWNanoseconds)
    writer.i16(week)
    writer.put([gpsFix, flags.rawValue])
    writer.i32(ecefXCentimeters)
    writer.i32(ecefYCentimeters)
    writer.i32(ecefZCentimeters)
    writer.u32(positionAccuracyCentimeters)
    writer.i32(ecefVXCentimetersPerSecond)
    writer.i32(ecefVYCentimetersPerSecond)
    writer.i32(ecefVZCentimetersPerSecond)
    writer.u32(speedAccuracyCentimetersPerSecond)
    writer.u16(positionDOPE2)
    writer.put([0, satelliteCount, 0, 0, 0, 0])
    return writer.bytes
  }
}
