/// Builds frames of the UBX protocol.
public enum UBXFrame {
  /// Wraps a payload: B5 62, class, id, length, payload, checksum.
  ///
  /// - Parameters:
  ///   - messageClass: the class, such as 0x06 for CFG.
  ///   - id: the message within its class.
  ///   - payload: at most 65,535 bytes.
  /// - Returns: the whole frame, ready to be sent.
  public static func encode(messageClass: UInt8, id: UInt8, payload: [UInt8]) -> [UInt8] {
    precondition(payload.count <= 65_535, "a UBX length has sixteen bits")
    var frame: [UInt8] = []
    frame.reserveCapacity(payload.count + 8)
    frame += [0xB5, 0x62, messageClass, id]
    frame.append(UInt8(truncatingIfNeeded: payload.count))
    frame.append(UInt8(truncatingIfNeeded: payload.count >> 8))
    frame += payload
    let sum = frame.withUnsafeBytes {
      Checksum.fletcher(UnsafeRawBufferPointer(rebasing: $0[2...]))
    }
    frame.append(UInt8(truncatingIfNeeded: sum))
    frame.append(UInt8(truncatingIfNeeded: sum >> 8))
    return frame
  }
}
