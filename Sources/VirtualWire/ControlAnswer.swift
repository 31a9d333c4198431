import BinnacleBasics

/// The answer of a virtual board to the person at the board.
public enum ControlAnswer: Equatable, Sendable {
  case done
  /// The order makes no sense on this board; why, for a person.
  case failed(String)
  case line(LineState)
  case parts([Part])

  /// A line as a measuring instrument and the kernel's list of lines show it.
  public struct LineState: Equatable, Sendable {
    public enum Use: UInt8, CaseIterable, Sendable {
      case unclaimed = 0
      case input = 1
      case output = 2
    }

    /// The voltage, whatever is called active.
    public var isHigh: Bool
    public var use: Use
    /// The line's holder; empty when the line is free.
    public var consumer: String

    public init(isHigh: Bool, use: Use, consumer: String) {
      self.isHigh = isHigh
      self.use = use
      self.consumer = consumer
    }
  }

  /// Something that is wired to a line.
  public struct Part: Equatable, Sendable {
    public enum Kind: UInt8, CaseIterable, Sendable {
      case button = 0
      case lamp = 1
    }

    public var kind: Kind
    public var name: String
    public var line: String

    public init(_ kind: Kind, name: String, line: String) {
      self.kind = kind
      self.name = name
      self.line = line
    }
  }

  private enum Tag: UInt8 {
    case done = 144
    case failed = 145
    case line = 146
    case parts = 147
  }

  /// Parts of one answer; so many fit a message.
  public static let partsMax = 28

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .done: self = .done
    case .failed:
      guard let text = reader.sentence() else { return nil }
      self = .failed(text)
    case .line:
      guard let isHigh = reader.flag(),
        let use = reader.u8().flatMap(LineState.Use.init(rawValue:)),
        let consumer = reader.name()
      else { return nil }
      self = .line(LineState(isHigh: isHigh, use: use, consumer: consumer))
    case .parts:
      guard let count = reader.u16(), Int(count) <= ControlAnswer.partsMax else { return nil }
      var parts: [Part] = []
      for _ in 0..<count {
        guard let kind = reader.u8().flatMap(Part.Kind.init(rawValue:)), let name = reader.name(),
          let line = reader.name()
        else { return nil }
        parts.append(Part(kind, name: name, line: line))
      }
      self = .parts(parts)
    }
    guard reader.remaining == 0 else { return nil }
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .done: writer.u8(Tag.done.rawValue)
    case .failed(let text):
      writer.u8(Tag.failed.rawValue)
      writer.sentence(text)
    case .line(let state):
      writer.u8(Tag.line.rawValue)
      writer.flag(state.isHigh)
      writer.u8(state.use.rawValue)
      writer.name(state.consumer)
    case .parts(let parts):
      writer.u8(Tag.parts.rawValue)
      let told = parts.prefix(ControlAnswer.partsMax)
      writer.u16(UInt16(told.count))
      for part in told {
        writer.u8(part.kind.rawValue)
        writer.name(part.name)
        writer.name(part.line)
      }
    }
    return writer.bytes
  }
}
