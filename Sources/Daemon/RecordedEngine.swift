import BinnacleBasics
import LocationEngine

/// The engine with its flight recorder: both get each event.
struct RecordedEngine {
  /// The outlook until the next event, stored here because the engine is large and a call to it would copy it.
  private(set) var outlook: Engine.Outlook
  private var engine: Engine
  private var recorder: TraceRecorder

  init(_ engine: Engine) {
    self.engine = engine
    recorder = TraceRecorder(engine: engine)
    outlook = engine.outlook
  }

  /// Handles one event; the list of effects must be empty before, and afterwards has the effects of this event.
  ///
  /// The caller carries out the effects first and then calls `record`, so that clients get their updates earlier.
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(event, at: now, into: &effects)
  }

  /// Records an event that was handled, with its effects.
  mutating func record(_ event: Event, at now: Instant, effects: [Effect]) {
    let isSegmentFull = recorder.record(event, at: now, effects: effects)
    if isSegmentFull { recorder.beginSegment(with: engine) }
    outlook = engine.outlook
  }

  /// The acknowledged records.
  var keptRecords: [UInt8] { engine.keptRecords }

  /// The recorder's content as a file; empty if the content cannot be encoded.
  var trace: [UInt8] { (try? recorder.save()) ?? [] }
}
