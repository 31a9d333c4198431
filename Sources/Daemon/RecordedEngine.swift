import BinnacleBasics
import LocationEngine

/// The engine and its flight recorder: no event reaches the one without the other.
struct RecordedEngine {
  /// When the engine wants to be told that its deadline has come.
  private(set) var nextDeadline: Instant?
  /// Until when reading the receiver would only wake the board.
  private(set) var receiverQuietUntil: Instant?
  /// Whether nobody gets positions.
  private(set) var isCalm: Bool
  private var engine: Engine
  private var recorder: TraceRecorder

  init(_ engine: Engine) {
    self.engine = engine
    recorder = TraceRecorder(engine: engine)
    nextDeadline = engine.nextDeadline
    receiverQuietUntil = engine.receiverQuietUntil
    isCalm = engine.isCalm
  }

  /// Takes one event; the effects, of which there are none before, are those of this event alone.
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect]) {
    engine.handle(event, at: now, into: &effects)
    let isSegmentFull = recorder.record(event, at: now, effects: effects)
    if isSegmentFull { recorder.beginSegment(with: engine) }
    // The loop asks for these several times between two events; the engine is large and is not to be copied for it.
    nextDeadline = engine.nextDeadline
    receiverQuietUntil = engine.receiverQuietUntil
    isCalm = engine.isCalm
  }

  /// Whether everything is written that can be.
  var isStateSettled: Bool { engine.isStateSettled }

  /// All that is acknowledged.
  var keptRecords: [UInt8] { engine.keptRecords }

  /// How often the receiver navigates, in Hz.
  var receiverRateHz: Int { engine.receiverRateHz }

  /// What the recorder holds, as a file; empty when it cannot be encoded.
  var trace: [UInt8] { (try? recorder.save()) ?? [] }
}
