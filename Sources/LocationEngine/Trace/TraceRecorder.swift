public import BinnacleBasics

/// The flight recorder: a ring of the last events, enough to run the engine over them again.
///
/// Two segments, each with a copy of the engine as it was at the segment's start and the events after it. The
/// copy shares its memory with the engine until that changes, and is encoded only when the trace is saved.
public struct TraceRecorder: Sendable {
  private var older: Segment?
  private var current: Segment
  private var scratch = ByteWriter()
  private let segmentBytesMax: Int

  private struct Segment: Sendable {
    let checkpoint: Engine
    var records = ByteWriter()
    var count = 0
  }

  /// The size at which a segment is full.
  public static let segmentBytesDefault = 128 * 1_024

  /// - Parameters:
  ///   - engine: the engine before its first event.
  ///   - segmentBytesMax: the size at which a segment is full and the older one is forgotten.
  public init(engine: Engine, segmentBytesMax: Int = segmentBytesDefault) {
    current = Segment(checkpoint: engine)
    self.segmentBytesMax = segmentBytesMax
  }

  /// Keeps an event that the engine has handled.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - instant: the `now` that the engine was given.
  ///   - effects: what the engine answered to this event alone.
  /// - Returns: whether the segment is full: the next event belongs into a new one, which `beginSegment(with:)` begins.
  @discardableResult
  public mutating func record(
    _ event: Event, at instant: Instant, effects: [Effect]
  ) -> Bool {
    scratch.removeAll()
    for effect in effects { effect.encode(into: &scratch) }
    current.records.i64(instant.nanoseconds)
    event.encode(into: &current.records)
    current.records.u64(Digest.of(scratch.written))
    current.count += 1
    return current.records.count >= segmentBytesMax
  }

  /// Forgets the older segment and begins a new one.
  ///
  /// - Parameter engine: the engine after the last event that was recorded.
  public mutating func beginSegment(with engine: Engine) {
    older = current
    current = Segment(checkpoint: engine)
  }

  /// The trace as a file.
  public func save() throws -> [UInt8] {
    let first = older ?? current
    let tail = older == nil ? [] : current.records.bytes
    let count = first.count + (older == nil ? 0 : current.count)
    return try TraceFile.encode(
      checkpoint: first.checkpoint, count: count, records: first.records.bytes + tail)
  }
}
