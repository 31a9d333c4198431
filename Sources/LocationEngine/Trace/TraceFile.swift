public import BinnacleBasics

/// A saved trace: the engine as it was at one moment, and every event since, with the digest of its answers.
///
///     "BNTR"                        4 bytes
///     version                       16 bits
///     configuration, checkpoint     32 bits of length and so many bytes each (compact binary Codable)
///     number of records             32 bits
///     records                       32 bits of length and so many bytes
///     sum                           64 bits, FNV-1a of everything before
///
/// A record is its instant (64 bits, nanoseconds), the event, and the digest (64 bits, FNV-1a of the encoded
/// effects). All numbers are little-endian.
public struct TraceFile: Sendable {
  public let configuration: Configuration
  public let checkpoint: Engine
  public let records: [Record]

  public struct Record: Equatable, Sendable {
    public let instant: Instant
    public let event: Event
    public let digest: UInt64
  }

  /// Why bytes are no trace.
  public enum Damage: Error, Equatable, Sendable {
    case notATrace
    case versionUnsupported(UInt16)
    case changed
    case malformed
  }

  /// What running a trace again showed.
  public enum Outcome: Equatable, Sendable {
    /// Every event had the same effects.
    case same(events: Int)
    /// The event of this index had other effects: these.
    case diverged(index: Int, Event, [Effect])
  }

  public static let version: UInt16 = 9
  private static let magic: [UInt8] = Array("BNTR".utf8)

  /// Reads a saved trace.
  public init(decoding bytes: [UInt8]) throws(Damage) {
    guard bytes.count >= 14, Array(bytes.prefix(4)) == TraceFile.magic else { throw .notATrace }
    var reader = ByteReader(Array(bytes.dropFirst(4)))
    guard let version = reader.u16() else { throw .malformed }
    guard version == TraceFile.version else { throw .versionUnsupported(version) }
    var tail = ByteReader(Array(bytes.suffix(8)))
    guard tail.u64() == Digest.of(bytes.dropLast(8)) else { throw .changed }
    guard let configuration = reader.counted(), let checkpoint = reader.counted(),
      let count = reader.u32(), let encoded = reader.counted(), reader.remaining == 8
    else { throw .malformed }
    do {
      self.configuration = try BinaryDecoder.decode(Configuration.self, from: configuration)
      self.checkpoint = try BinaryDecoder.decode(Engine.self, from: checkpoint)
    } catch {
      throw .malformed
    }
    guard let records = TraceFile.records(encoded, count: count) else { throw .malformed }
    self.records = records
  }

  /// Runs the engine over the events again, up to the first that it answers otherwise.
  public func replay() -> Outcome {
    var engine = checkpoint
    var last = records.first?.instant ?? .zero
    for (index, record) in records.enumerated() {
      var effects: [Effect] = []
      guard record.instant >= last else { return .diverged(index: index, record.event, effects) }
      last = record.instant
      engine.handle(record.event, at: record.instant, into: &effects)
      var writer = ByteWriter()
      for effect in effects { effect.encode(into: &writer) }
      if Digest.of(writer.written) != record.digest {
        return .diverged(index: index, record.event, effects)
      }
    }
    return .same(events: records.count)
  }

  static func encode(checkpoint: Engine, count: Int, records: [UInt8]) throws -> [UInt8] {
    var writer = ByteWriter()
    writer.put(magic)
    writer.u16(version)
    writer.counted(try BinaryEncoder.encode(checkpoint.configuration))
    writer.counted(try BinaryEncoder.encode(checkpoint))
    writer.u32(UInt32(count))
    writer.counted(records)
    writer.u64(Digest.of(writer.bytes))
    return writer.bytes
  }

  private static func records(_ bytes: [UInt8], count: UInt32) -> [Record]? {
    var reader = ByteReader(bytes)
    guard Int(count) <= bytes.count else { return nil }
    var records: [Record] = []
    records.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let nanoseconds = reader.i64(), let event = Event(from: &reader),
        let digest = reader.u64()
      else { return nil }
      records.append(
        Record(instant: Instant(nanoseconds: nanoseconds), event: event, digest: digest))
    }
    return reader.remaining == 0 ? records : nil
  }
}
