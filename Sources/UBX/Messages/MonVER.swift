import BinnacleBasics

/// The versions of the receiver: UBX-MON-VER, 0A 04; polled with an empty payload.
///
/// M10 SPG 5.10 interface description, UBX-MON-VER. The payload has 40 bytes, plus 30 bytes per extension. Older
/// firmware has few extensions: u-blox 6 none, M8 `PROTVER 18.00` and `FWVER=...`, M9 and later `PROTVER=32.01`.
public struct MonVER: UBXMessage, Codable {
  public static let messageClass: UInt8 = 0x0A
  public static let messageID: UInt8 = 0x04

  /// At most 30 characters.
  public var softwareVersion: String
  /// At most 10 characters, such as `000A0000`.
  public var hardwareVersion: String
  /// At most 30 characters each.
  public var extensions: [String]

  public init(softwareVersion: String, hardwareVersion: String, extensions: [String]) {
    self.softwareVersion = softwareVersion
    self.hardwareVersion = hardwareVersion
    self.extensions = extensions
  }

  /// The firmware, such as `SPG 5.10`, from the extension `FWVER=`.
  public var firmware: String? { value(of: "FWVER") }

  /// The module, such as `SAM-M10Q`, from the extension `MOD=`.
  public var module: String? { value(of: "MOD") }

  /// The protocol version, such as 34.10, from the extension `PROTVER=` or `PROTVER `; nil for u-blox 6 and early 7.
  public var protocolVersion: ProtocolVersion? {
    value(of: "PROTVER").flatMap(ProtocolVersion.init(text:))
  }

  /// The generation by hardware version; nil for an unknown hardware version.
  ///
  /// 00040007 is 6, 00070000 is 7, 00080000 is M8, 00190000 is M9 and F9, 000A0000 is M10. To find out which messages a
  /// receiver supports, use `protocolVersion`.
  public var generation: Generation? {
    switch hardwareVersion.prefix(4) {
    case "0004": .u6
    case "0007": .u7
    case "0008": .m8
    case "0019": .m9
    case "000A": .m10
    case _: nil
    }
  }

  /// A generation of u-blox receivers.
  public enum Generation: UInt8, Codable, Sendable {
    case u6 = 6
    case u7 = 7
    case m8 = 8
    /// Also F9.
    case m9 = 9
    case m10 = 10
  }

  public init?(_ payload: Payload) {
    guard payload.count >= 40 else { return nil }
    softwareVersion = MonVER.text(payload, 0..<30)
    hardwareVersion = MonVER.text(payload, 30..<40)
    extensions = (0..<(payload.count - 40) / 30).map {
      MonVER.text(payload, 40 + 30 * $0..<70 + 30 * $0)
    }
  }

  public var payload: [UInt8] {
    var writer = ByteWriter()
    writer.put(MonVER.padded(softwareVersion, 30))
    writer.put(MonVER.padded(hardwareVersion, 10))
    for text in extensions { writer.put(MonVER.padded(text, 30)) }
    return writer.bytes
  }

  private func value(of name: String) -> String? {
    for text in extensions where text.hasPrefix(name) {
      let rest = text.dropFirst(name.count)
      if let first = rest.first, first == "=" || first == " " { return String(rest.dropFirst()) }
    }
    return nil
  }

  /// The characters before the terminating zero; `?` stands for a byte that is not printable ASCII.
  private static func text(_ payload: Payload, _ range: Range<Int>) -> String {
    let bytes = payload.array(range).prefix { $0 != 0 }
    return String(
      decoding: bytes.map { $0 >= 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  private static func padded(_ text: String, _ width: Int) -> [UInt8] {
    let bytes = Array(text.utf8.prefix(width))
    return bytes + [UInt8](repeating: 0, count: width - bytes.count)
  }
}

/// The protocol version of a receiver, such as 34.10.
public struct ProtocolVersion: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// Reads a version such as `34.10`; text after the digits is ignored.
  public init?(text: String) {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard let first = parts.first, let major = Int(first.prefix(4)) else { return nil }
    let digits = parts.count > 1 ? parts[1].prefix { $0 >= "0" && $0 <= "9" }.prefix(4) : "0"
    self.init(major: major, minor: Int(digits) ?? 0)
  }

  /// Whether the receiver supports CFG-VALSET, VALGET and VALDEL: versions after 23.01.
  public var hasConfigurationKeys: Bool { self > ProtocolVersion(major: 23, minor: 1) }

  public static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }

  public var description: String { "\(major)." + (minor < 10 ? "0" : "") + "\(minor)" }
}
