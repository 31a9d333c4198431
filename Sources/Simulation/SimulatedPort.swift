/// The port at which a simulated receiver is connected; it has only one at a time.
public enum SimulatedPort: CaseIterable, Sendable {
  case i2c
  case uart1
  /// Receivers up to generation 8; an M10 has none (`ublox.md` section 1.5).
  case usb

  /// Whether receivers of a generation have it.
  public func isThere(on generation: Generation) -> Bool {
    self != .usb || generation.hasLegacyConfiguration
  }

  /// The number that messages know it by (`ublox.md` section 1.3, CFG-PRT); CFG-MSG counts rates in the same order.
  var number: UInt8 {
    switch self {
    case .i2c: 0
    case .uart1: 1
    case .usb: 3
    }
  }

  /// Whether the speed of the line is a setting.
  var hasSpeed: Bool { self == .uart1 }

  /// How fast bytes leave the receiver where that is no setting, in bits per second: full speed at USB, and fast mode
  /// at I2C, where the receiver itself is never what is waited for.
  static let fixedSpeed = 12_000_000

  // The groups of the ports are 71 to 7A: I2C, UART1, UART2, USB, SPI, first in, then out (`ublox.md` section 1.4).
  var inputUBX: UInt32 { 0x1071_0001 + UInt32(number) << 17 }
  var inputNMEA: UInt32 { inputUBX + 1 }
  var outputUBX: UInt32 { inputUBX + 0x1_0000 }
  var outputNMEA: UInt32 { outputUBX + 1 }

  /// The key of a message's rate at this port: those of a message lie side by side in the order of the ports
  /// (`ublox.md` section 1.4).
  func rateKey(of message: OutputMessage) -> UInt32 { message.key - 1 + UInt32(number) }
}
