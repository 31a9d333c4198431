import BinnacleBasics

/// Clears, saves and loads the configuration: UBX-CFG-CFG, 06 09; legacy, up to M8.
///
/// u-blox M8 receiver description, UBX-CFG-CFG, 12 bytes or 13 with the device.
public struct CfgCFG: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x06
  public static let messageID: UInt8 = 0x09

  /// The memory of a configuration.
  public struct Devices: OptionSet, Codable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let batteryBackedRAM = Devices(rawValue: 1 << 0)
    public static let flash = Devices(rawValue: 1 << 1)
    public static let eeprom = Devices(rawValue: 1 << 2)
    public static let spiFlash = Devices(rawValue: 1 << 4)
  }

  /// Sections of the configuration.
  public struct Sections: OptionSet, Codable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let ports = Sections(rawValue: 1 << 0)
    public static let messages = Sections(rawValue: 1 << 1)
    public static let informationMessages = Sections(rawValue: 1 << 2)
    public static let navigation = Sections(rawValue: 1 << 3)
    public static let receiverManager = Sections(rawValue: 1 << 4)
    /// All sections of the document.
    public static let all = Sections(rawValue: 0x1F1F)
  }

  public var clear: Sections = []
  public var save: Sections = []
  public var load: Sections = []
  /// nil stands for the 12-byte form, which applies to all devices.
  public var devices: Devices?

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count == 12 || payload.count == 13 else { return nil }
    clear = Sections(rawValue: payload.u32(0))
    save = Sections(rawValue: payload.u32(4))
    load = Sections(rawValue: payload.u32(8))
    devices = payload.count == 13 ? Devices(rawValue: payload.u8(12)) : nil
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.u32(clear.rawValue)
    writer.u32(save.rawValue)
    writer.u32(load.rawValue)
    if let devices { writer.u8(devices.rawValue) }
    return writer.bytes
  }
}
