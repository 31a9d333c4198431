public import BinnacleBasics

/// The flight recorder: a ring of the last events, from which the engine can be run again.
///
/// There are at most three segments. Each has a copy of the engine at the segment's start, and the events after that. The
/// copies and the events share memory with their originals; nothing is encoded until the trace is saved.
public struct TraceRecorder: Sendable {
  /// The full segments, oldest first.
  private var older: [Segment] = []
  private(set) var current: Segment
  private let segmentBytesMax: Int

  struct Segment: Sendable {
    let checkpoint: Engine
    /// The records, in pieces of the same size.
    ///
    /// A single array would be copied to a larger place as it grows, and leave holes in the heap.
    private(set) var pieces: [[TraceFile.Record]] = []
    /// The approximate memory size of the records.
    private(set) var byteCount = 0

    /// The number of records in a full piece.
    static let pieceCount = 32

    init(checkpoint: Engine) {
      self.checkpoint = checkpoint
    }

    mutating func append(_ record: TraceFile.Record) {
      if pieces.isEmpty || pieces[pieces.count - 1].count == Segment.pieceCount {
        pieces.append([])
        pieces[pieces.count - 1].reserveCapacity(Segment.pieceCount)
      }
      pieces[pieces.count - 1].append(record)
      byteCount += record.memorySize
    }
  }

  /// The size at which a segment is full.
  public static let segmentBytesDefault = 32 * 1_024
  /// The number of full segments, which are always kept: the oldest one is dropped when the current segment is full.
  private static let olderMax = 2

  /// - Parameters:
  ///   - engine: the engine before its first event.
  ///   - segmentBytesMax: the size at which a segment is full; the oldest segment is then dropped.
  public init(engine: Engine, segmentBytesMax: Int = segmentBytesDefault) {
    current = Segment(checkpoint: engine)
    self.segmentBytesMax = segmentBytesMax
  }

  /// Records an event that the engine has handled.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - instant: the argument `now` of the engine for the event.
  ///   - effects: the engine's effects for this event alone.
  /// - Returns: whether the segment is full; the next event then belongs to a new segment, see `beginSegment(with:)`.
  @discardableResult
  public mutating func record(
    _ event: Event, at instant: Instant, effects: [Effect]
  ) -> Bool {
    // A caller that uses one list again and again has room for more effects in it. A record that shared the list would
    // keep that room, and the caller would need a new list for the next event.
    let record = TraceFile.Record(
      instant: instant, event: event, effects: effects.withUnsafeBufferPointer { Array($0) })
    current.append(record)
    return current.byteCount >= segmentBytesMax
  }

  /// Begins a new segment, and drops the oldest one if there are too many.
  ///
  /// - Parameter engine: the engine after the last event that was recorded.
  public mutating func beginSegment(with engine: Engine) {
    if older.count == TraceRecorder.olderMax { older.removeFirst() }
    older.append(current)
    current = Segment(checkpoint: engine)
  }

  /// The trace as a file.
  public func save() throws -> [UInt8] {
    let segments = older + [current]
    return try TraceFile.encode(
      checkpoint: segments[0].checkpoint, segments.flatMap { $0.pieces.joined() })
  }
}
