public import BinnacleBasics
public import LocationEngine

/// The engine of a simulated board, or a wrapper of the engine that a test has broken on purpose.
public protocol EngineUnderTest {
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect])
  var outlook: Engine.Outlook { get }
}

extension Engine: EngineUnderTest {}
