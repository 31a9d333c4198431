/// The unique number of the chip: UBX-SEC-UNIQID, 27 03; polled with an empty payload.
///
/// Version 1 has 5 bytes (F9P interface description UBX-18010854, UBX-SEC-UNIQID; M8: recording
/// gpsd-ublox8-uniqid-monhw.log). Version 2, for the M10, has 6 bytes (pyubx2 1.4.0, SEC-UNIQID-V2).
public struct SecUNIQID: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x27
  public static let messageID: UInt8 = 0x03

  /// 5 or 6 bytes.
  public var number: [UInt8]

  /// - Parameter number: 5 or 6 bytes.
  public init(number: [UInt8]) {
    precondition([5, 6].contains(number.count), "a chip's number has 5 or 6 bytes")
    self.number = number
  }

  public init?(_ payload: Payload) {
    switch (payload.count, payload.count > 0 ? payload.u8(0) : 0) {
    case (9, 1), (10, 2): number = payload.array(from: 4)
    case _: return nil
    }
  }

  public var payload: [UInt8] { [number.count == 5 ? 1 : 2, 0, 0, 0] + number }
}
