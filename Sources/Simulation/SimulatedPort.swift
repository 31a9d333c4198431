/// The port of a simulated receiver; the receiver has one port at a time.
public enum SimulatedPort: CaseIterable, Sendable {
  case i2c
  case uart1
  /// Receivers up to generation 8; an M10 has no USB port (Docs/SOURCES.md, U7).
  case usb

  /// Whether receivers of a generation have the port.
  public func isThere(on generation: Generation) -> Bool {
    self != .usb || generation.hasLegacyConfiguration
  }

  /// The port's number in messages (UBX-13003221, CFG-PRT); CFG-MSG counts rates in the same order.
  var number: UInt8 {
    switch self {
    case .i2c: 0
    case .uart1: 1
    case .usb: 3
    }
  }

  /// Whether the speed of the line is a setting.
  var hasSpeed: Bool { self == .uart1 }

  /// The speed at which bytes leave the receiver where the speed is not a setting, in bits per second.
  ///
  /// The value is full speed of USB. At I2C the bus has fast mode, and the receiver itself never delays a transfer.
  static let fixedSpeed = 12_000_000

  // The groups of the ports are 71 to 7A: I2C, UART1, UART2, USB, SPI, first in, then out (Docs/SOURCES.md, U6).
  var inputUBX: UInt32 { 0x1071_0001 + UInt32(number) << 17 }
  var inputNMEA: UInt32 { inputUBX + 1 }
  var outputUBX: UInt32 { inputUBX + 0x1_0000 }
  var outputNMEA: UInt32 { outputUBX + 1 }

  /// The key of a message's rate at this port.
  ///
  /// The keys of a message are consecutive in the order of the ports (UBX-21035062, CFG-MSGOUT).
  func rateKey(of message: OutputMessage) -> UInt32 { message.key - 1 + UInt32(number) }
}
