import BinnacleBasics

/// Resets the receiver or stops it: UBX-CFG-RST, 06 04; it is not acknowledged.
///
/// M10 SPG 5.10 interface description, UBX-CFG-RST.
public struct CfgRST: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x04

  /// The kind of reset.
  public enum Mode: UInt8, Codable, Sendable {
    case hardware = 0
    case software = 1
    case gnssOnly = 2
    case hardwareAfterShutdown = 4
    case gnssStop = 8
    case gnssStart = 9
  }

  /// Clears nothing: a hot start.
  public static let hotStart: UInt16 = 0x0000
  /// Clears the ephemerides: a warm start.
  public static let warmStart: UInt16 = 0x0001
  /// Clears everything: a cold start.
  public static let coldStart: UInt16 = 0xFFFF

  /// The sections of the battery-backed memory to clear.
  public var forgotten: UInt16
  public var mode: Mode

  public init(forgotten: UInt16, mode: Mode) {
    self.forgotten = forgotten
    self.mode = mode
  }

  public init?(_ payload: Payload) {
    guard payload.count == 4, let mode = Mode(rawValue: payload.u8(2)) else { return nil }
    forgotten = payload.u16(0)
    self.mode = mode
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u16(forgotten)
    writer.put([mode.rawValue, 0])
    return writer.bytes
  }
}
