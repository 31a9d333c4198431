public import BinnacleBasics
public import LocationEngine

/// What the simulated board asks: the engine, or a wrapper of it that a test has broken on purpose.
public protocol EngineUnderTest {
  mutating func handle(_ event: Event, at now: Instant, into effects: inout [Effect])
  var outlook: Engine.Outlook { get }
}

extension Engine: EngineUnderTest {}
