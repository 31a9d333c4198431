import BinnacleBasics

/// One record of the receiver's navigation database: UBX-MGA-DBD, 13 80, in both directions.
///
/// "Only intended to be sent back to the same receiver that generated them", "the data fields are firmware specific",
/// at most 164 bytes of payload (F9P interface description UBX-18010854, UBX-MGA-DBD; M10 SPG 5.10 interface
/// description UBX-21035062, UBX-MGA-DBD). Polled with an empty payload: all records come, then an MGA-ACK whose
/// `payloadStart` is their number. A receiver takes it where MGA-ACK is enabled with an acknowledgement.
public struct MgaDBD: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x13
  public static let messageID: UInt8 = 0x80
  /// The bytes before the data, reserved; they are kept as they came.
  static let reservedBytes = 12
  /// The longest payload.
  public static let payloadBytesMax = 164

  /// The whole payload as it came, opaque: 12 reserved bytes and the firmware's own.
  public var payload: [UInt8]

  public init?(_ payload: Payload) {
    guard (MgaDBD.reservedBytes...MgaDBD.payloadBytesMax).contains(payload.count) else {
      return nil
    }
    self.payload = payload.array()
  }
}
