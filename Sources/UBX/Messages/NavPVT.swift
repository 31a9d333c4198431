import BinnacleBasics

/// Position, velocity and time of an epoch in one message: UBX-NAV-PVT, 01 07.
///
/// M10 SPG 5.10 interface description (UBX-21035062), UBX-NAV-PVT. 92 bytes since protocol version 15; u-blox 7
/// sends the first 84 of them.
public struct NavPVT: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x07

  /// The validity of date and time.
  public struct Validity: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let date = Validity(rawValue: 1 << 0)
    public static let time = Validity(rawValue: 1 << 1)
    /// The seconds are certain; the flag does not mean that the time is correct.
    public static let fullyResolved = Validity(rawValue: 1 << 2)
    public static let magneticDeclination = Validity(rawValue: 1 << 3)
  }

  /// The field `flags`; bits 2 to 4 are the power save state, bits 6 and 7 the carrier solution.
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The fix is within the receiver's own limits of DOP and accuracy.
    public static let gnssFixOK = Flags(rawValue: 1 << 0)
    public static let differential = Flags(rawValue: 1 << 1)
    public static let headingOfVehicleValid = Flags(rawValue: 1 << 5)
  }

  /// The field `flags2`.
  public struct Confirmation: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Whether the other two flags are valid.
    public static let available = Confirmation(rawValue: 1 << 5)
    public static let date = Confirmation(rawValue: 1 << 6)
    public static let time = Confirmation(rawValue: 1 << 7)
  }

  /// GPS time of week.
  public var iTOWMilliseconds: UInt32 = 0
  public var year: UInt16 = 0
  public var month: UInt8 = 0
  public var day: UInt8 = 0
  public var hour: UInt8 = 0
  public var minute: UInt8 = 0
  /// 0 to 60.
  public var second: UInt8 = 0
  public var valid: Validity = []
  /// 0xFFFFFFFF is unknown.
  public var timeAccuracyNanoseconds: UInt32 = 0
  /// -1e9 to 1e9: the second is rounded to the nearest, so half of all epochs have a negative fraction.
  public var nanoseconds: Int32 = 0
  /// 0 none, 1 dead reckoning, 2 2D, 3 3D, 4 GNSS and dead reckoning, 5 time only; other values may be added.
  public var fixType: UInt8 = 0
  public var flags: Flags = []
  public var confirmation: Confirmation = []
  public var satelliteCount: UInt8 = 0
  public var longitudeE7: Int32 = 0
  public var latitudeE7: Int32 = 0
  /// Above the ellipsoid.
  public var heightMillimeters: Int32 = 0
  /// Above mean sea level.
  public var heightMSLMillimeters: Int32 = 0
  /// 0xFFFFFFFF is unknown.
  public var horizontalAccuracyMillimeters: UInt32 = 0
  /// 0xFFFFFFFF is unknown.
  public var verticalAccuracyMillimeters: UInt32 = 0
  public var velocityNorthMillimetersPerSecond: Int32 = 0
  public var velocityEastMillimetersPerSecond: Int32 = 0
  public var velocityDownMillimetersPerSecond: Int32 = 0
  /// Over ground, two-dimensional.
  public var groundSpeedMillimetersPerSecond: Int32 = 0
  /// Constant while the receiver hardly moves.
  public var headingOfMotionE5: Int32 = 0
  public var speedAccuracyMillimetersPerSecond: UInt32 = 0
  /// 18,000,000 is unknown.
  public var headingAccuracyE5: UInt32 = 0
  /// 9999 is unknown.
  public var positionDOPE2: UInt16 = 0
  /// Bit 0 invalidLlh, bits 1 to 4 the age of the last correction.
  public var flags3: UInt16 = 0
  /// The fields that the 84-byte form lacks.
  public var vehicle: Vehicle? = Vehicle()

  /// The last eight bytes of the 92-byte form.
  public struct Vehicle: Equatable, Sendable {
    /// Valid only with `headingOfVehicleValid`.
    public var headingE5: Int32 = 0
    public var magneticDeclinationE2: Int16 = 0
    public var magneticAccuracyE2: UInt16 = 0

    public init() {}
  }

  public init() {}

  /// 0 not active, 1 enabled, 2 acquisition, 3 tracking, 4 power optimized tracking, 5 inactive.
  public var powerSaveState: UInt8 { flags.rawValue >> 2 & 7 }

  /// 0 none, 1 float, 2 fixed.
  public var carrierSolution: UInt8 { flags.rawValue >> 6 }

  /// Whether the receiver marks longitude, latitude and heights as invalid.
  public var isPositionInvalid: Bool { flags3 & 1 != 0 }

  public init?(_ payload: Payload) {
    guard payload.count == 84 || payload.count >= 92 else { return nil }
    iTOWMilliseconds = payload.u32(0)
    year = payload.u16(4)
    month = payload.u8(6)
    day = payload.u8(7)
    hour = payload.u8(8)
    minute = payload.u8(9)
    second = payload.u8(10)
    valid = Validity(rawValue: payload.u8(11))
    timeAccuracyNanoseconds = payload.u32(12)
    nanoseconds = payload.i32(16)
    fixType = payload.u8(20)
    flags = Flags(rawValue: payload.u8(21))
    confirmation = Confirmation(rawValue: payload.u8(22))
    satelliteCount = payload.u8(23)
    longitudeE7 = payload.i32(24)
    latitudeE7 = payload.i32(28)
    heightMillimeters = payload.i32(32)
    heightMSLMillimeters = payload.i32(36)
    horizontalAccuracyMillimeters = payload.u32(40)
    verticalAccuracyMillimeters = payload.u32(44)
    velocityNorthMillimetersPerSecond = payload.i32(48)
    velocityEastMillimetersPerSecond = payload.i32(52)
    velocityDownMillimetersPerSecond = payload.i32(56)
    groundSpeedMillimetersPerSecond = payload.i32(60)
    headingOfMotionE5 = payload.i32(64)
    speedAccuracyMillimetersPerSecond = payload.u32(68)
    headingAccuracyE5 = payload.u32(72)
    positionDOPE2 = payload.u16(76)
    flags3 = payload.u16(78)
    guard payload.count >= 92 else {
      vehicle = nil
      return
    }
    vehicle?.headingE5 = payload.i32(84)
    vehicle?.magneticDeclinationE2 = payload.i16(88)
    vehicle?.magneticAccuracyE2 = payload.u16(90)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(iTOWMilliseconds)
    writer.u16(year)
    writer.put([month, day, hour, minute, second, valid.rawValue])
    writer.u32(timeAccuracyNanoseconds)
    writer.i32(nanoseconds)
    writer.put([fixType, flags.rawValue, confirmation.rawValue, satelliteCount])
    writer.i32(longitudeE7)
    writer.i32(latitudeE7)
    writer.i32(heightMillimeters)
    writer.i32(heightMSLMillimeters)
    writer.u32(horizontalAccuracyMillimeters)
    writer.u32(verticalAccuracyMillimeters)
    writer.i32(velocityNorthMillimetersPerSecond)
    writer.i32(velocityEastMillimetersPerSecond)
    writer.i32(velocityDownMillimetersPerSecond)
    writer.i32(groundSpeedMillimetersPerSecond)
    writer.i32(headingOfMotionE5)
    writer.u32(speedAccuracyMillimetersPerSecond)
    writer.u32(headingAccuracyE5)
    writer.u16(positionDOPE2)
    writer.u16(flags3)
    writer.put([0, 0, 0, 0])
    guard let vehicle else { return writer.bytes }
    writer.i32(vehicle.headingE5)
    writer.i16(vehicle.magneticDeclinationE2)
    writer.u16(vehicle.magneticAccuracyE2)
    return writer.bytes
  }
}
