import BinnacleBasics

/// The memory layers in which CFG-VALSET stores a value.
public struct ConfigurationLayers: OptionSet, Hashable, Codable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Lost at power-down, reset and software standby.
  public static let ram = ConfigurationLayers(rawValue: 1 << 0)
  /// Battery-backed: survives standby.
  public static let batteryBackedRAM = ConfigurationLayers(rawValue: 1 << 1)
  public static let flash = ConfigurationLayers(rawValue: 1 << 2)
}

/// A configuration key with its value.
public struct ConfigurationItem: Equatable, Codable, Sendable {
  public var key: ConfigurationKey
  /// The value's bits, zero-extended: 0 and 1 for a logical one, an IEEE 754 pattern for a real one.
  public var value: UInt64

  /// Makes an item; bits of the value beyond the key's size are dropped when the item is written.
  public init(_ key: ConfigurationKey, _ value: UInt64) {
    self.key = key
    self.value = value
  }

  /// Makes an item of a logical key.
  public init(_ key: ConfigurationKey, _ value: Bool) {
    self.init(key, value ? 1 : 0)
  }

  /// Reads items to the end of a payload; nil if an item is truncated or its key has no documented size.
  static func list(_ payload: Payload, from start: Int) -> [ConfigurationItem]? {
    var items: [ConfigurationItem] = []
    var offset = start
    while offset < payload.count {
      guard offset + 4 <= payload.count else { return nil }
      let key = ConfigurationKey(rawValue: payload.u32(offset))
      guard let size = key.valueSize, offset + 4 + size <= payload.count else { return nil }
      var value: UInt64 = 0
      for index in (0..<size).reversed() {
        value = value << 8 | UInt64(payload.u8(offset + 4 + index))
      }
      items.append(ConfigurationItem(key, value))
      offset += 4 + size
    }
    return items
  }

  func write(to writer: inout ByteWriter) {
    writer.u32(key.rawValue)
    for index in 0..<(key.valueSize ?? 0) {
      writer.u8(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }
}
