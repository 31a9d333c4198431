public import BinnacleBasics

/// A message of a virtual board on a connection with the face `lines`.
public enum LineAnswer: Equatable, Sendable {
  /// The line is the client's until the connection ends; its level, and whether the board debounces it.
  case granted(isActive: Bool, isDebounced: Bool)
  /// The claim failed; the board hangs up.
  case refused(Refusal)
  /// The level that the line really has.
  case value(ticket: UInt32, isActive: Bool)
  /// An order could not be carried out; the claim goes on.
  case failed(ticket: UInt32, text: String)
  /// The level changed, at this many nanoseconds of `CLOCK_MONOTONIC`.
  case edge(isActive: Bool, nanoseconds: Int64)
  /// The chip and its lines were removed; the board hangs up.
  case gone(text: String)

  /// Why a line is unavailable; the text says which program holds the line.
  public typealias Refusal = Fault<RefusalKind>

  public enum RefusalKind: UInt8, CaseIterable, Sendable {
    case lineMissing = 1
    case busy = 2
    case notPermitted = 3
    /// The chip is absent.
    case chipMissing = 4
    case failed = 5
  }

  private enum Tag: UInt8 {
    case granted = 131
    case refused = 132
    case value = 133
    case failed = 134
    case edge = 135
    case gone = 136
  }

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .granted:
      guard let isActive = reader.flag(), let isDebounced = reader.flag() else { return nil }
      self = .granted(isActive: isActive, isDebounced: isDebounced)
    case .refused:
      guard let kind = reader.u8().flatMap(RefusalKind.init(rawValue:)),
        let text = reader.sentence()
      else { return nil }
      self = .refused(Refusal(kind, text))
    case .value:
      guard let ticket = reader.u32(), let isActive = reader.flag() else { return nil }
      self = .value(ticket: ticket, isActive: isActive)
    case .failed:
      guard let ticket = reader.u32(), let text = reader.sentence() else { return nil }
      self = .failed(ticket: ticket, text: text)
    case .edge:
      guard let isActive = reader.flag(), let nanoseconds = reader.i64() else { return nil }
      self = .edge(isActive: isActive, nanoseconds: nanoseconds)
    case .gone:
      guard let text = reader.sentence() else { return nil }
      self = .gone(text: text)
    }
    guard reader.remaining == 0 else { return nil }
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .granted(let isActive, let isDebounced):
      writer.u8(Tag.granted.rawValue)
      writer.flag(isActive)
      writer.flag(isDebounced)
    case .refused(let refusal):
      writer.u8(Tag.refused.rawValue)
      writer.u8(refusal.kind.rawValue)
      writer.sentence(refusal.text)
    case .value(let ticket, let isActive):
      writer.u8(Tag.value.rawValue)
      writer.u32(ticket)
      writer.flag(isActive)
    case .failed(let ticket, let text):
      writer.u8(Tag.failed.rawValue)
      writer.u32(ticket)
      writer.sentence(text)
    case .edge(let isActive, let nanoseconds):
      writer.u8(Tag.edge.rawValue)
      writer.flag(isActive)
      writer.i64(nanoseconds)
    case .gone(let text):
      writer.u8(Tag.gone.rawValue)
      writer.sentence(text)
    }
    return writer.bytes
  }
}
