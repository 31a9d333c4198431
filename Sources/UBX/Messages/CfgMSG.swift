/// Sets the output rate of a message: UBX-CFG-MSG, 06 01; legacy, up to M8.
///
/// u-blox M8 receiver description, UBX-CFG-MSG. Polled with two bytes, class and message; NMEA sentences have
/// class 0xF0.
public struct CfgMSG: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x01

  /// The number of navigation solutions per message; 0 is never.
  public enum Rate: Equatable, Codable, Sendable {
    /// On the port that receives the command (3 bytes).
    case currentPort(UInt8)
    /// DDC, UART1, UART2, USB, SPI and a reserved port (8 bytes).
    case ports(ddc: UInt8, uart1: UInt8, uart2: UInt8, usb: UInt8, spi: UInt8, reserved: UInt8)
  }

  /// Class of the message to set.
  public var targetClass: UInt8
  /// Id of the message to set.
  public var targetID: UInt8
  public var rate: Rate

  public init(targetClass: UInt8, targetID: UInt8, rate: Rate) {
    self.targetClass = targetClass
    self.targetID = targetID
    self.rate = rate
  }

  public init?(_ payload: Payload) {
    switch payload.count {
    case 3: rate = .currentPort(payload.u8(2))
    case 8:
      rate = .ports(
        ddc: payload.u8(2), uart1: payload.u8(3), uart2: payload.u8(4), usb: payload.u8(5),
        spi: payload.u8(6), reserved: payload.u8(7))
    case _: return nil
    }
    targetClass = payload.u8(0)
    targetID = payload.u8(1)
  }

  public var payload: [UInt8] {
    switch rate {
    case .currentPort(let rate): [targetClass, targetID, rate]
    case .ports(let ddc, let uart1, let uart2, let usb, let spi, let reserved):
      [targetClass, targetID, ddc, uart1, uart2, usb, spi, reserved]
    }
  }
}
