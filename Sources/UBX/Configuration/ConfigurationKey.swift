/// A key of the receiver's configuration database, M9 and later.
///
/// M10 SPG 5.10 interface description, "Configuration interface": bits 30 to 28 say how long a value is, bits 23 to 16 name
/// the group, bits 15 to 0 the item. The named keys are in `ConfigurationKey+Names.swift`.
public struct ConfigurationKey: RawRepresentable, Hashable, Codable, Sendable,
  CustomStringConvertible
{
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// A port, in the order of the keys of CFG-MSGOUT and CFG-INFMSG: one key per port, in this order.
  public enum Port: UInt32, CaseIterable, Codable, Sendable {
    case i2c = 0
    case uart1 = 1
    case uart2 = 2
    case usb = 3
    case spi = 4
  }

  /// Bytes of a value, 1, 2, 4 or 8; nil when the key's size bits are not among the documented ones.
  public var valueSize: Int? {
    switch rawValue >> 28 & 7 {
    case 1, 2: 1
    case 3: 2
    case 4: 4
    case 5: 8
    case _: nil
    }
  }

  /// Whether a value is a single bit.
  public var isLogical: Bool { rawValue >> 28 & 7 == 1 }

  /// The group, such as 0x21 for CFG-RATE.
  public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }

  /// The key that stands for all keys of a group in CFG-VALGET.
  public static func wildcard(group: UInt8) -> ConfigurationKey {
    ConfigurationKey(rawValue: UInt32(group) << 16 | 0xFFFF)
  }

  /// The document's name, such as `CFG-RATE-MEAS`; nil when this key is not among the named ones.
  public var name: String? {
    ConfigurationKey.names.first { $0.key == self }?.name
  }

  /// The name, else the id in hexadecimal digits.
  public var description: String {
    if let name { return name }
    let digits = String(rawValue, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The same item for another port; only for the keys of CFG-MSGOUT and CFG-INFMSG, which are named for UART1.
  public func on(_ port: Port) -> ConfigurationKey {
    precondition(group == 0x91 || group == 0x92, "only output keys have a key for each port")
    return ConfigurationKey(rawValue: rawValue &- Port.uart1.rawValue &+ port.rawValue)
  }
}
