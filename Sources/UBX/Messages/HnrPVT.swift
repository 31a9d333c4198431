import BinnacleBasics

/// Position, velocity and time at a high rate, computed from sensors between epochs: UBX-HNR-PVT, 28 00.
///
/// u-blox 8 / M8 receiver description (UBX-13003221), UBX-HNR-PVT: receivers with dead reckoning, such as NEO-M8U.
public struct HnrPVT: UBXMessage {
  public static let messageClass: UInt8 = 0x28
  public static let messageID: UInt8 = 0x00
  private static let length = 72

  /// The fields that NAV-PVT also has.
  ///
  /// HNR-PVT has no time accuracy, no number of satellites and no PDOP: these fields are set to unknown, 0 and 9999.
  public var solution: NavPVT

  public init() {
    solution = NavPVT()
    solution.timeAccuracyNanoseconds = .max
    solution.positionDOPE2 = 9_999
  }

  public init?(_ payload: Payload) {
    guard payload.count >= HnrPVT.length else { return nil }
    self.init()
    solution.iTOWMilliseconds = payload.u32(0)
    solution.readClock(payload, from: 4)
    solution.valid = NavPVT.Validity(rawValue: payload.u8(11))
    solution.nanoseconds = payload.i32(12)
    solution.fixType = payload.u8(16)
    // Bits 0 and 1 have the same meaning as in NAV-PVT; the other bits do not.
    solution.flags = NavPVT.Flags(rawValue: payload.u8(17) & 3)
    solution.readPosition(payload, from: 20)
    solution.groundSpeedMillimetersPerSecond = payload.i32(36)
    solution.headingOfMotionE5 = payload.i32(44)
    solution.horizontalAccuracyMillimeters = payload.u32(52)
    solution.verticalAccuracyMillimeters = payload.u32(56)
    solution.speedAccuracyMillimetersPerSecond = payload.u32(60)
    solution.headingAccuracyE5 = payload.u32(64)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(solution.iTOWMilliseconds)
    solution.writeClock(to: &writer)
    writer.u8(solution.valid.rawValue)
    writer.i32(solution.nanoseconds)
    writer.put([solution.fixType, solution.flags.rawValue & 3, 0, 0])
    solution.writePosition(to: &writer)
    for number in [
      solution.groundSpeedMillimetersPerSecond, solution.groundSpeedMillimetersPerSecond,
      solution.headingOfMotionE5, 0,
    ] { writer.i32(number) }
    writer.u32(solution.horizontalAccuracyMillimeters)
    writer.u32(solution.verticalAccuracyMillimeters)
    writer.u32(solution.speedAccuracyMillimetersPerSecond)
    writer.u32(solution.headingAccuracyE5)
    writer.u32(0)
    return writer.bytes
  }
}
