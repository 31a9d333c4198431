import BinnacleBasics
import LocationEngine

/// The engine and its flight recorder: every event reaches both.
struct RecordedEngine {
  /// The outlook until the next event, kept because the engine is large and a question to it would copy it.
  private(set) var outlook: Engine.Outlook
  private var engine: Engine
  private var recorder: TraceRecorder

  init(_ engine: Engine) {
    self.engine = engine
    recorder = TraceRecorder(engine: engine)
    outlook = engine.outlook
  }

  /// Takes one event; the list of effects is empty before, and holds the effects of this event alone afterwards.
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(event, at: now, into: &effects)
    let isSegmentFull = recorder.record(event, at: now, effects: effects)
    if isSegmentFull { recorder.beginSegment(with: engine) }
    outlook = engine.outlook
  }

  /// The acknowledged records.
  var keptRecords: [UInt8] { engine.keptRecords }

  /// The recorder's contents as a file; empty when they cannot be encoded.
  var trace: [UInt8] { (try? recorder.save()) ?? [] }
}
