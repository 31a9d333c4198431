import BinnacleBasics

/// A client's message on a connection with the face `lines`: one connection is one claim of one line.
public enum LineOrder: Equatable, Sendable {
  /// Comes first and once; answered by `granted` or `refused`.
  case claim(LineClaim)
  /// Drives the line; answered by `value`, which is read back, or by `failed`.
  case set(ticket: UInt32, isActive: Bool)
  /// Answered by `value` or by `failed`.
  case get(ticket: UInt32)

  private enum Tag: UInt8 {
    case claim = 2
    case set = 3
    case get = 4
  }

  /// Decodes a message; nil when it is malformed.
  public init?(decoding bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let tag = reader.u8().flatMap(Tag.init(rawValue:)) else { return nil }
    switch tag {
    case .claim:
      guard let claim = reader.claim() else { return nil }
      self = .claim(claim)
    case .set:
      guard let ticket = reader.u32(), let isActive = reader.flag() else { return nil }
      self = .set(ticket: ticket, isActive: isActive)
    case .get:
      guard let ticket = reader.u32() else { return nil }
      self = .get(ticket: ticket)
    }
    guard reader.remaining == 0 else { return nil }
  }

  public func encoded() -> [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .claim(let claim):
      writer.u8(Tag.claim.rawValue)
      writer.put(claim)
    case .set(let ticket, let isActive):
      writer.u8(Tag.set.rawValue)
      writer.u32(ticket)
      writer.flag(isActive)
    case .get(let ticket):
      writer.u8(Tag.get.rawValue)
      writer.u32(ticket)
    }
    return writer.bytes
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ claim: LineClaim) {
    name(claim.line)
    name(claim.consumer)
    switch claim.use {
    case .input: u8(0)
    case .output(let isActive): u8(isActive ? 3 : 2)
    case .edges: u8(1)
    }
    flag(claim.isActiveLow)
    u8(claim.bias.rawValue)
    u32(claim.debounceMicroseconds)
  }
}

extension ByteReader {
  fileprivate mutating func claim() -> LineClaim? {
    guard let line = name(), let consumer = name(), let use = use(), let isActiveLow = flag(),
      let bias = u8().flatMap(LineClaim.Bias.init(rawValue:)), let debounce = u32()
    else { return nil }
    var claim = LineClaim(line: line, consumer: consumer, use: use)
    claim.isActiveLow = isActiveLow
    claim.bias = bias
    claim.debounceMicroseconds = debounce
    return claim
  }

  private mutating func use() -> LineClaim.Use? {
    switch u8() {
    case 0: .input
    case 1: .edges
    case 2: .output(isActive: false)
    case 3: .output(isActive: true)
    default: nil
    }
  }
}
