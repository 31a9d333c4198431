/// A key of the receiver's configuration database, M9 and later.
///
/// M10 SPG 5.10 interface description, "Configuration interface": bits 30 to 28 give the size of the value, bits 23 to
/// 16 the group, bits 15 to 0 the item. The named keys are in `ConfigurationKey+Names.swift`.
public struct ConfigurationKey: RawRepresentable, Hashable, Codable, Sendable,
  CustomStringConvertible
{
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// A port; CFG-MSGOUT and CFG-INFMSG have one key per port, in this order.
  public enum Port: UInt32, CaseIterable, Codable, Sendable {
    case i2c = 0
    case uart1 = 1
    case uart2 = 2
    case usb = 3
    case spi = 4
  }

  /// Size of a value in bytes: 1, 2, 4 or 8; nil if the size bits of the key are undocumented.
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

  /// The wildcard key, which selects all keys of a group in CFG-VALGET.
  public static func wildcard(group: UInt8) -> ConfigurationKey {
    ConfigurationKey(rawValue: UInt32(group) << 16 | 0xFFFF)
  }

  /// The document's name, such as `CFG-RATE-MEAS`; nil for a key without a name here.
  public var name: String? {
    ConfigurationKey.names.first { $0.key == self }?.name
  }

  /// The name, or the id in hexadecimal digits for a key without a name.
  public var description: String {
    if let name { return name }
    let digits = String(rawValue, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The same item for another port.
  ///
  /// Valid only for the keys of CFG-MSGOUT and CFG-INFMSG. The named keys of these groups are those of UART1.
  public func on(_ port: Port) -> ConfigurationKey {
    precondition(group == 0x91 || group == 0x92, "only output keys have a key for each port")
    return ConfigurationKey(rawValue: rawValue &- Port.uart1.rawValue &+ port.rawValue)
  }
}
