import BinnacleBasics

/// Jamming and spoofing detection: UBX-SEC-SIG, 27 09, in its two incompatible versions.
///
/// Version 1: F10 SPG 6.00 interface description (UBX-23002975), UBX-SEC-SIG, 12 bytes. Version 2 (F9 HPG 1.50 and
/// later, X20): 4 bytes and 4 for each center frequency. Byte 0 is the version.
public struct SecSIG: UBXMessage {
  public static let messageClass: UInt8 = 0x27
  public static let messageID: UInt8 = 0x09

  /// The result of the jamming detector.
  public enum Jamming: UInt8, Codable, Sendable {
    case unknown = 0
    case none = 1
    /// Interference is present, but there is a good fix.
    case warning = 2
    /// Interference is present, and there is no fix.
    case critical = 3
  }

  /// The result of the spoofing detector.
  public enum Spoofing: UInt8, Codable, Sendable {
    case unknown = 0
    case none = 1
    case indicated = 2
    case affirmed = 3
  }

  /// A band of version 2.
  public struct Frequency: Equatable, Sendable {
    /// 24 bits.
    public var centerKilohertz: UInt32
    public var isJammed: Bool

    public init(centerKilohertz: UInt32, isJammed: Bool) {
      self.centerKilohertz = centerKilohertz
      self.isJammed = isJammed
    }
  }

  /// 1 or 2.
  public var version: UInt8 = 1
  public var isJammingDetectionEnabled = false
  public var jamming = Jamming.unknown
  public var isSpoofingDetectionEnabled = false
  public var spoofing = Spoofing.unknown
  /// Version 2 only; at most 255.
  public var frequencies: [Frequency] = []

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 4 else { return nil }
    version = payload.u8(0)
    switch version {
    case 1:
      guard payload.count >= 12 else { return nil }
      setJamming(payload.u8(4))
      setSpoofing(enabled: payload.u8(8) & 1 != 0, state: payload.u8(8) >> 1 & 7)
    case 2:
      let count = Int(payload.u8(3))
      guard payload.count >= 4 + 4 * count else { return nil }
      setJamming(payload.u8(1))
      setSpoofing(enabled: payload.u8(1) & 1 << 3 != 0, state: payload.u8(1) >> 4 & 7)
      frequencies = (0..<count).map { index in
        let word = payload.u32(4 + 4 * index)
        return Frequency(centerKilohertz: word & 0xFF_FFFF, isJammed: word & 1 << 24 != 0)
      }
    case _:
      return nil
    }
  }

  public var payload: [UInt8] {
    let jammingBits = (isJammingDetectionEnabled ? 1 : 0) | jamming.rawValue << 1
    let spoofingBits = (isSpoofingDetectionEnabled ? 1 : 0) | spoofing.rawValue << 1
    if version == 1 {
      return [1, 0, 0, 0, jammingBits, 0, 0, 0, spoofingBits, 0, 0, 0]
    }
    let listed = frequencies.prefix(255)
    var writer = ByteWriter()
    writer.put([2, jammingBits | spoofingBits << 3, 0, UInt8(listed.count)])
    for frequency in listed {
      writer.u32(frequency.centerKilohertz & 0xFF_FFFF | (frequency.isJammed ? 1 << 24 : 0))
    }
    return writer.bytes
  }

  private mutating func setJamming(_ flags: UInt8) {
    isJammingDetectionEnabled = flags & 1 != 0
    jamming = Jamming(rawValue: flags >> 1 & 3) ?? .unknown
  }

  private mutating func setSpoofing(enabled: Bool, state: UInt8) {
    isSpoofingDetectionEnabled = enabled
    spoofing = Spoofing(rawValue: state) ?? .unknown
  }
}
