public import BinnacleBasics
public import BinnacleModel

/// What became of a line, or of an order to it.
public enum LineFact: Equatable, Sendable {
  /// The line is ours; its level, and whether edges come debounced.
  case opened(isActive: Bool, isDebounced: Bool)
  /// The level changed.
  case edge(isActive: Bool, at: Instant)
  /// The level that the line really has: the answer to `set` and to `read`.
  case level(isActive: Bool)
  /// The line is not ours, or no more; the object is to be let go of.
  case lost(LineFault)
}
