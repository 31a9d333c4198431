import BinnacleBasics

/// Sets configuration items: UBX-CFG-VALSET, 06 8A, M9 and later.
///
/// M10 SPG 5.10 interface description, UBX-CFG-VALSET. The receiver refuses the whole message if its firmware does not
/// know one of the keys.
public struct CfgVALSET: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x8A
  /// Most items in one message.
  public static let itemsMax = 64

  /// 0 without a transaction, 1 with.
  public var version: UInt8 = 0
  public var layers: ConfigurationLayers
  /// Version 1: 0 none, 1 start, 2 ongoing, 3 apply and end.
  public var transaction: UInt8 = 0
  public var items: [ConfigurationItem]

  public init(layers: ConfigurationLayers, items: [ConfigurationItem]) {
    self.layers = layers
    self.items = items
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 4, payload.u8(0) <= 1,
      let items = ConfigurationItem.list(payload, from: 4)
    else { return nil }
    version = payload.u8(0)
    layers = ConfigurationLayers(rawValue: payload.u8(1))
    transaction = payload.u8(2)
    self.items = items
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([version, layers.rawValue, transaction, 0])
    for item in items { item.write(to: &writer) }
    return writer.bytes
  }
}
