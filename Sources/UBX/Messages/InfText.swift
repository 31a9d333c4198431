/// A human-readable text: UBX-INF-ERROR, WARNING, NOTICE, TEST or DEBUG, 04 00 to 04 04.
///
/// M10 SPG 5.10 interface description, UBX-INF. A receiver sends notices after a reset.
public struct InfText: Equatable, Codable, Sendable {
  /// The severity of the text.
  public enum Level: UInt8, Codable, Sendable {
    case error = 0
    case warning = 1
    case notice = 2
    case test = 3
    case debug = 4
  }

  public static let messageClass: UInt8 = 0x04

  public var level: Level
  public var text: String

  public init(level: Level, text: String) {
    self.level = level
    self.text = text
  }

  init(level: Level, _ payload: Payload) {
    self.init(level: level, text: payload.text())
  }

  /// The whole frame, ready to be sent.
  public var frame: [UInt8] {
    UBXFrame.encode(
      messageClass: InfText.messageClass, id: level.rawValue, payload: Array(text.utf8))
  }
}
