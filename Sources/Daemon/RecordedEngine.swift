import Basics
import LocationEngine

/// The engine and its flight recorder: no event reaches the one without the other.
struct RecordedEngine {
  private(set) var engine: Engine
  private var recorder: TraceRecorder

  init(_ engine: Engine) {
    self.engine = engine
    recorder = TraceRecorder(engine: engine)
  }

  /// Takes one event; the effects, of which there are none before, are those of this event alone.
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(event, at: now, into: &effects)
    recorder.record(event, at: now, effects: effects, engine: engine)
  }

  /// What the recorder holds, as a file; empty when it cannot be encoded.
  var trace: [UInt8] { (try? recorder.save()) ?? [] }
}
