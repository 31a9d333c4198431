import BinnacleBasics
import LocationEngine

/// The engine and its flight recorder: no event reaches the one without the other.
struct RecordedEngine {
  /// The loop asks for it several times between two events; the engine is large and is not to be copied for it.
  private(set) var outlook: Engine.Outlook
  private var engine: Engine
  private var recorder: TraceRecorder

  init(_ engine: Engine) {
    self.engine = engine
    recorder = TraceRecorder(engine: engine)
    outlook = engine.outlook
  }

  /// Takes one event; the effects, of which there are none before, are those of this event alone.
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(event, at: now, into: &effects)
    let isSegmentFull = recorder.record(event, at: now, effects: effects)
    if isSegmentFull { recorder.beginSegment(with: engine) }
    outlook = engine.outlook
  }

  /// All that is acknowledged.
  var keptRecords: [UInt8] { engine.keptRecords }

  /// What the recorder holds, as a file; empty when it cannot be encoded.
  var trace: [UInt8] { (try? recorder.save()) ?? [] }
}
