import BinnacleBasics

/// A port's speed and protocols: UBX-CFG-PRT, 06 00; legacy, up to M8.
///
/// u-blox M8 receiver description (UBX-13003221), UBX-CFG-PRT, 20 bytes. Polled with an empty payload (the current
/// port) or with one byte, the port.
public struct CfgPRT: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x00

  /// 8 data bits, no parity, 1 stop bit, as `mode` of a UART.
  public static let mode8N1: UInt32 = 0x08D0
  /// A bit of `flags`: DDC waits longer than 1.5 s for a read.
  public static let extendedTimeout: UInt16 = 1 << 1

  /// Protocols of a port.
  public struct Protocols: OptionSet, Codable, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }
    public static let ubx = Protocols(rawValue: 1 << 0)
    public static let nmea = Protocols(rawValue: 1 << 1)
    public static let rtcm2 = Protocols(rawValue: 1 << 2)
    public static let rtcm3 = Protocols(rawValue: 1 << 5)
  }

  /// 0 DDC (I2C), 1 UART1, 2 UART2, 3 USB, 4 SPI.
  public var portID: UInt8 = 1
  public var txReady: UInt16 = 0
  /// `mode8N1` for a UART; for DDC the address in bits 7 to 1.
  public var mode: UInt32 = CfgPRT.mode8N1
  public var baudRate: UInt32 = 9_600
  public var inputProtocols: Protocols = []
  public var outputProtocols: Protocols = []
  /// Bit 1 extendedTxTimeout.
  public var flags: UInt16 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count == 20 else { return nil }
    portID = payload.u8(0)
    txReady = payload.u16(2)
    mode = payload.u32(4)
    baudRate = payload.u32(8)
    inputProtocols = Protocols(rawValue: payload.u16(12))
    outputProtocols = Protocols(rawValue: payload.u16(14))
    flags = payload.u16(16)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([portID, 0])
    writer.u16(txReady)
    writer.u32(mode)
    writer.u32(baudRate)
    writer.u16(inputProtocols.rawValue)
    writer.u16(outputProtocols.rawValue)
    writer.u16(flags)
    writer.u16(0)
    return writer.bytes
  }
}
