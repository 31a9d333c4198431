import UBX

/// The identity of a single receiver: model, firmware, and the number of its chip.
///
/// Records of a navigation database are "only intended to be sent back to the same receiver that generated them" and
/// are "firmware specific" (UBX-18010854, UBX-MGA-DBD). The same chip with another firmware therefore has another key.
/// A receiver without UBX-SEC-UNIQID cannot be distinguished from another of its model and has no key.
public struct ReceiverKey: Equatable, Codable, Sendable {
  /// Words for a person and a file: hardware, software, module if the receiver reports one, number of the chip.
  public let text: String

  /// The size of the longest key: 10, 30 and 30 bytes of MON-VER, 12 digits, three spaces.
  static let bytesMax = 96

  init(_ identity: ReceiverIdentity, chip: SecUNIQID) {
    let digits = chip.number.map { byte -> String in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let words = [identity.hardware, identity.software, identity.module].compactMap { $0 }
    text = (words + [digits.joined()]).joined(separator: " ")
  }

  /// Reads a key; nil if it is too long or not printable ASCII.
  public init?(bytes: [UInt8]) {
    guard !bytes.isEmpty, bytes.count <= ReceiverKey.bytesMax,
      bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
    else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes of the key.
  public var bytes: [UInt8] { Array(text.utf8.prefix(ReceiverKey.bytesMax)) }
}
