public import BinnacleBasics
public import BinnacleModel

/// The state of a line, or the outcome of an order to a line.
public enum LineFact: Equatable, Sendable {
  /// The line is claimed: its level, and whether the kernel debounces edges.
  case opened(isActive: Bool, isDebounced: Bool)
  /// The level changed.
  case edge(isActive: Bool, at: Instant)
  /// The measured level of the line: the answer to `set` and to `read`.
  case level(isActive: Bool)
  /// The line is not claimed, or not any more; release the object.
  case lost(LineFault)
}
