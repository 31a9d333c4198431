import BinnacleBasics

/// One record of the receiver's navigation database: UBX-MGA-DBD, 13 80, in both directions.
///
/// "Only intended to be sent back to the same receiver that generated them", "the data fields are firmware specific",
/// at most 164 bytes of payload (F9P interface description UBX-18010854, UBX-MGA-DBD; M10 SPG 5.10 interface
/// description UBX-21035062, UBX-MGA-DBD). Polled with an empty payload: the receiver sends all records, then an
/// MGA-ACK with their number in `payloadStart`. If MGA-ACK is enabled, the receiver acknowledges each record that is
/// sent back.
public struct MgaDBD: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x13
  public static let messageID: UInt8 = 0x80
  /// Number of reserved bytes before the data; the reserved bytes are kept unchanged.
  static let reservedBytes = 12
  /// The longest payload.
  public static let payloadBytesMax = 164

  /// The complete payload, unchanged: 12 reserved bytes and the firmware's data.
  public var payload: [UInt8]

  public init?(_ payload: Payload) {
    guard (MgaDBD.reservedBytes...MgaDBD.payloadBytesMax).contains(payload.count) else {
      return nil
    }
    self.payload = payload.array()
  }
}
