import BinnacleBasics

/// The result of an assistance message: UBX-MGA-ACK-DATA0, 13 60.
///
/// F9P interface description UBX-18010854 and M10 SPG 5.10 interface description UBX-21035062, UBX-MGA-ACK-DATA0: 8
/// bytes. Assistance is acknowledged only with CFG-NAVSPG-ACKAIDING (CFG-NAVX5 ackAiding before M9).
public struct MgaACK: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x13
  public static let messageID: UInt8 = 0x60

  /// The reason for refusing a message; undocumented numbers are kept.
  public struct Reason: RawRepresentable, Equatable, Codable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let none = Reason(rawValue: 0)
    /// The receiver does not know the time, so MGA-INI-TIME_UTC must be sent first.
    public static let timeUnknown = Reason(rawValue: 1)
    public static let versionUnknown = Reason(rawValue: 2)
    public static let wrongSize = Reason(rawValue: 3)
    public static let notStored = Reason(rawValue: 4)
    public static let notReady = Reason(rawValue: 5)
    public static let typeUnknown = Reason(rawValue: 6)
  }

  /// Whether the message was accepted for use.
  public var isAccepted = false
  public var reason = Reason.none
  /// The id, in class 13, of the acknowledged message.
  public var acknowledgedID: UInt8 = 0
  /// The first four bytes of the acknowledged payload; after a poll of MGA-DBD, the number of records sent.
  public var payloadStart: UInt32 = 0

  public init() {}

  public init?(_ payload: Payload) {
    guard payload.count >= 8, payload.u8(0) <= 1, payload.u8(1) == 0 else { return nil }
    isAccepted = payload.u8(0) == 1
    reason = Reason(rawValue: payload.u8(2))
    acknowledgedID = payload.u8(3)
    payloadStart = payload.u32(4)
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put([isAccepted ? 1 : 0, 0, reason.rawValue, acknowledgedID])
    writer.u32(payloadStart)
    return writer.bytes
  }
}
