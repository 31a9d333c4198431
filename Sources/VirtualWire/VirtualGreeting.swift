public import BinnacleBasics

/// The answer of a board to a hello, and its message before it hangs up.
public enum VirtualGreeting: Equatable, Sendable {
  /// The face is there; the version that is spoken, and the board's name for people.
  case welcome(version: UInt16, board: String)
  /// The board hangs up after this.
  case refused(Refusal)

  /// Why a board hangs up.
  public typealias Refusal = Fault<RefusalKind>

  public enum RefusalKind: UInt8, CaseIterable, Sendable {
    case versionUnsupported = 1
    case faceUnsupported = 2
    case messageMalformed = 3
    case messageUnexpected = 4
    case connectionsTooMany = 5
  }

  private enum Tag: UInt8 {
    case welcome = 129
    case refused = 130
  }

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .welcome:
      guard let version = reader.u16(), let board = reader.name() else { return nil }
      self = .welcome(version: version, board: board)
    case .refused:
      guard let kind = reader.u8().flatMap(RefusalKind.init(rawValue:)),
        let text = reader.sentence()
      else { return nil }
      self = .refused(Refusal(kind, text))
    }
    guard reader.remaining == 0 else { return nil }
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .welcome(let version, let board):
      writer.u8(Tag.welcome.rawValue)
      writer.u16(version)
      writer.name(board)
    case .refused(let refusal):
      writer.u8(Tag.refused.rawValue)
      writer.u8(refusal.kind.rawValue)
      writer.sentence(refusal.text)
    }
    return writer.bytes
  }
}
