public import BinnacleBasics

/// The flight recorder: a ring of the last events, enough to run the engine over them again.
///
/// Two segments, each with a copy of the engine as it was at the segment's start and the events after it. The copies and
/// the events share their memory with what they were made from; nothing is encoded until the trace is saved.
public struct TraceRecorder: Sendable {
  private var older: Segment?
  private var current: Segment
  private let segmentBytesMax: Int

  private struct Segment: Sendable {
    let checkpoint: Engine
    var records: [TraceFile.Record] = []
    /// About what the records take in memory.
    var byteCount = 0
  }

  /// The size at which a segment is full.
  public static let segmentBytesDefault = 256 * 1_024

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
    let record = TraceFile.Record(instant: instant, event: event, effects: effects)
    current.records.append(record)
    current.byteCount += record.memorySize
    return current.byteCount >= segmentBytesMax
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
    guard let older else {
      return try TraceFile.encode(checkpoint: current.checkpoint, current.records)
    }
    return try TraceFile.encode(
      checkpoint: older.checkpoint, older.records + current.records)
  }
}
