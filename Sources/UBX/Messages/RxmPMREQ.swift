import BinnacleBasics

/// Puts the receiver to sleep: UBX-RXM-PMREQ, 02 41; the receiver does not acknowledge the message.
///
/// M10 SPG 5.10 interface description, UBX-RXM-PMREQ: 16 bytes; up to M8 also 8 bytes without wake-up sources.
public struct RxmPMREQ: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x02
  public static let messageID: UInt8 = 0x41

  /// The field `flags`.
  public struct Flags: OptionSet, Codable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let backup = Flags(rawValue: 1 << 1)
    /// Sleep even while USB is connected; 16-byte form only.
    public static let force = Flags(rawValue: 1 << 2)
  }

  /// The pins that wake the receiver with an edge.
  public struct WakeupSources: OptionSet, Codable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let uartReceive = WakeupSources(rawValue: 1 << 3)
    public static let externalInterrupt0 = WakeupSources(rawValue: 1 << 5)
    public static let externalInterrupt1 = WakeupSources(rawValue: 1 << 6)
    public static let spiChipSelect = WakeupSources(rawValue: 1 << 7)
  }

  /// 0: sleep until a wake-up edge; at most twelve days.
  public var durationMilliseconds: UInt32 = 0
  public var flags: Flags = []
  /// nil stands for the 8-byte form.
  public var wakeupSources: WakeupSources? = []

  public init() {}

  public init?(_ payload: Payload) {
    switch payload.count {
    case 8:
      durationMilliseconds = payload.u32(0)
      flags = Flags(rawValue: payload.u32(4))
      wakeupSources = nil
    case 16 where payload.u8(0) == 0:
      durationMilliseconds = payload.u32(4)
      flags = Flags(rawValue: payload.u32(8))
      wakeupSources = WakeupSources(rawValue: payload.u32(12))
    case _:
      return nil
    }
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    if wakeupSources != nil { writer.u32(0) }
    writer.u32(durationMilliseconds)
    writer.u32(flags.rawValue)
    if let wakeupSources { writer.u32(wakeupSources.rawValue) }
    return writer.bytes
  }
}
