public import BinnacleBasics

/// A saved trace: the state of the engine at one instant, and every event since, with the engine's effects.
///
///     "BNTR"         4 bytes
///     version        16 bits
///     content        32 bits of length and the content: configuration, engine, records
///     sum            64 bits, FNV-1a of all bytes before the sum
///
/// `BinaryEncoder` encodes the content. Only the version that wrote a trace can read it. All numbers are little-endian.
public struct TraceFile: Sendable {
  public let configuration: Configuration
  public let checkpoint: Engine
  public let records: [Record]

  /// An event, and the engine's effects.
  public struct Record: Equatable, Codable, Sendable {
    public let instant: Instant
    public let event: Event
    public let effects: [Effect]
  }

  private struct Content: Codable {
    var configuration: Configuration
    var checkpoint: Engine
    var records: [Record]
  }

  /// Why bytes are not a trace.
  public enum Damage: Error, Equatable, Sendable {
    case notATrace
    case versionUnsupported(UInt16)
    case changed
    case malformed
  }

  /// The result of a replay.
  public enum Outcome: Equatable, Sendable {
    /// Every event had the same effects.
    case same(events: Int)
    /// The event of this index had these other effects.
    case diverged(index: Int, Record, [Effect])
  }

  public static let version: UInt16 = 32
  private static let magic: [UInt8] = Array("BNTR".utf8)

  /// Reads a saved trace.
  public init(decoding bytes: [UInt8]) throws(Damage) {
    guard bytes.count >= 14, Array(bytes.prefix(4)) == TraceFile.magic else { throw .notATrace }
    var reader = ByteReader(Array(bytes.dropFirst(4)))
    guard let version = reader.u16() else { throw .malformed }
    guard version == TraceFile.version else { throw .versionUnsupported(version) }
    var tail = ByteReader(Array(bytes.suffix(8)))
    guard tail.u64() == Digest.of(bytes.dropLast(8)) else { throw .changed }
    guard let encoded = reader.counted(), reader.remaining == 8,
      let content = try? BinaryDecoder.decode(Content.self, from: encoded)
    else { throw .malformed }
    configuration = content.configuration
    checkpoint = content.checkpoint
    records = content.records
  }

  /// Runs the engine over the events again, up to the first event with other effects.
  public func replay() -> Outcome {
    var engine = checkpoint
    var last = records.first?.instant ?? .zero
    for (index, record) in records.enumerated() {
      var effects: [Effect] = []
      guard record.instant >= last else { return .diverged(index: index, record, effects) }
      last = record.instant
      engine.handle(record.event, at: record.instant, into: &effects)
      if effects != record.effects { return .diverged(index: index, record, effects) }
    }
    return .same(events: records.count)
  }

  static func encode(checkpoint: Engine, _ records: [Record]) throws -> [UInt8] {
    var writer = ByteWriter()
    writer.put(magic)
    writer.u16(version)
    writer.counted(
      try BinaryEncoder.encode(
        Content(
          configuration: checkpoint.configuration, checkpoint: checkpoint, records: records)))
    writer.u64(Digest.of(writer.bytes[...]))
    return writer.bytes
  }
}
