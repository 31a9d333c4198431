import BinnacleBasics

/// Position, velocity, attitude and time of an epoch in one message: UBX-NAV-PVAT, 01 17.
///
/// u-blox F9 HPS 1.30 interface description (UBX-22010984), UBX-NAV-PVAT, version 0. Attitude and error ellipse are not
/// read.
public struct NavPVAT: UBXMessage {
  public static let messageClass: UInt8 = 0x01
  public static let messageID: UInt8 = 0x17
  private static let version: UInt8 = 0
  private static let length = 116

  /// The fields that NAV-PVT also has.
  ///
  /// NAV-PVAT has no PDOP, so PDOP is 9999, which is unknown.
  public var solution: NavPVT

  public init() {
    solution = NavPVT()
    solution.positionDOPE2 = 9_999
    solution.headingAccuracyE5 = 18_000_000
  }

  public init?(_ payload: Payload) {
    guard payload.count >= NavPVAT.length, payload.u8(4) == NavPVAT.version else { return nil }
    self.init()
    solution.iTOWMilliseconds = payload.u32(0)
    solution.valid = NavPVT.Validity(rawValue: payload.u8(5))
    solution.readClock(payload, from: 6)
    solution.timeAccuracyNanoseconds = payload.u32(16)
    solution.nanoseconds = payload.i32(20)
    solution.fixType = payload.u8(24)
    solution.flags = NavPVT.Flags(rawValue: payload.u8(25))
    solution.confirmation = NavPVT.Confirmation(rawValue: payload.u8(26))
    solution.satelliteCount = payload.u8(27)
    solution.readPosition(payload, from: 28)
    solution.horizontalAccuracyMillimeters = payload.u32(44)
    solution.verticalAccuracyMillimeters = payload.u32(48)
    solution.velocityNorthMillimetersPerSecond = payload.i32(52)
    solution.velocityEastMillimetersPerSecond = payload.i32(56)
    solution.velocityDownMillimetersPerSecond = payload.i32(60)
    solution.groundSpeedMillimetersPerSecond = payload.i32(64)
    solution.speedAccuracyMillimetersPerSecond = payload.u32(68)
    solution.headingOfMotionE5 = payload.i32(84)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(solution.iTOWMilliseconds)
    writer.put([NavPVAT.version, solution.valid.rawValue])
    solution.writeClock(to: &writer)
    writer.put([0, 0, 0])
    writer.u32(solution.timeAccuracyNanoseconds)
    writer.i32(solution.nanoseconds)
    writer.put([solution.fixType, solution.flags.rawValue])
    writer.put([solution.confirmation.rawValue, solution.satelliteCount])
    solution.writePosition(to: &writer)
    writer.u32(solution.horizontalAccuracyMillimeters)
    writer.u32(solution.verticalAccuracyMillimeters)
    for number in [
      solution.velocityNorthMillimetersPerSecond, solution.velocityEastMillimetersPerSecond,
      solution.velocityDownMillimetersPerSecond, solution.groundSpeedMillimetersPerSecond,
    ] { writer.i32(number) }
    writer.u32(solution.speedAccuracyMillimetersPerSecond)
    writer.put([UInt8](repeating: 0, count: 12))
    writer.i32(solution.headingOfMotionE5)
    writer.put([UInt8](repeating: 0, count: 28))
    return writer.bytes
  }
}
