import BinnacleBasics

/// The rate of measurements and navigation solutions: UBX-CFG-RATE, 06 08; legacy, up to M8.
///
/// u-blox M8 receiver description, UBX-CFG-RATE. Polled with an empty payload.
public struct CfgRATE: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x08

  /// Time between measurements.
  public var measurementMilliseconds: UInt16
  /// Measurements per navigation solution.
  public var navigationCycles: UInt16
  /// 0 UTC, 1 GPS.
  public var timeReference: UInt16

  public init(
    measurementMilliseconds: UInt16, navigationCycles: UInt16 = 1, timeReference: UInt16 = 1
  ) {
    self.measurementMilliseconds = measurementMilliseconds
    self.navigationCycles = navigationCycles
    self.timeReference = timeReference
  }

  public init?(_ payload: Payload) {
    guard payload.count == 6 else { return nil }
    measurementMilliseconds = payload.u16(0)
    navigationCycles = payload.u16(2)
    timeReference = payload.u16(4)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u16(measurementMilliseconds)
    writer.u16(navigationCycles)
    writer.u16(timeReference)
    return writer.bytes
  }
}
