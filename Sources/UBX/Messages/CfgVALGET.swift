import BinnacleBasics

/// The values of configuration items, as answer to a poll: UBX-CFG-VALGET, 06 8B, version 1, M9 and later.
///
/// M10 SPG 5.10 interface description, UBX-CFG-VALGET.
public struct CfgVALGET: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x8B

  /// The layer of a value.
  public enum Layer: UInt8, Codable, Sendable {
    case ram = 0
    case batteryBackedRAM = 1
    case flash = 2
    case defaults = 7
  }

  /// The raw layer, because receivers also answer for undocumented layers.
  public var layer: UInt8
  /// The number of items skipped before the first item.
  public var position: UInt16
  public var items: [ConfigurationItem]

  public init(layer: Layer, position: UInt16 = 0, items: [ConfigurationItem]) {
    self.layer = layer.rawValue
    self.position = position
    self.items = items
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 4, payload.u8(0) == 1,
      let items = ConfigurationItem.list(payload, from: 4)
    else { return nil }
    layer = payload.u8(1)
    position = payload.u16(2)
    self.items = items
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([1, layer])
    writer.u16(position)
    for item in items { item.write(to: &writer) }
    return writer.bytes
  }
}

/// Polls the values of configuration items: UBX-CFG-VALGET, 06 8B, version 0, M9 and later.
///
/// M10 SPG 5.10 interface description, UBX-CFG-VALGET.
public struct CfgVALGETPoll: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x8B
  /// Most keys in one message.
  public static let keysMax = 64

  /// The raw layer, because some undocumented layers are read, too.
  public var layer: UInt8
  /// The number of items to skip, for a wildcard with more items than one message can hold.
  public var position: UInt16
  public var keys: [ConfigurationKey]

  public init(layer: CfgVALGET.Layer, position: UInt16 = 0, keys: [ConfigurationKey]) {
    self.layer = layer.rawValue
    self.position = position
    self.keys = keys
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 4, payload.count % 4 == 0, payload.u8(0) == 0 else { return nil }
    layer = payload.u8(1)
    position = payload.u16(2)
    keys = (1..<payload.count / 4).map { ConfigurationKey(rawValue: payload.u32(4 * $0)) }
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([0, layer])
    writer.u16(position)
    for key in keys { writer.u32(key.rawValue) }
    return writer.bytes
  }
}
