/// How somebody wants to have a GPIO line.
public struct LineClaim: Equatable, Sendable {
  /// The line's name on its chip, such as `GPIO17`.
  public var line: String
  /// Who has the line, for others who want it.
  public var consumer: String
  public var use: Use
  /// Whether the low level is the active one.
  public var isActiveLow = false
  public var bias = Bias.asIs
  /// How long a level must last before the chip tells of it, in microseconds; 0 tells of every edge.
  public var debounceMicroseconds: UInt32 = 0

  /// What a line is claimed for.
  public enum Use: Equatable, Sendable {
    /// It is read when asked for.
    case input
    /// It is driven, at first to this level.
    case output(isActive: Bool)
    /// It is read when asked for, and every change is told.
    case edges
  }

  /// The resistor inside the chip.
  public enum Bias: UInt8, CaseIterable, Sendable {
    /// As it was before.
    case asIs = 0
    case none = 1
    case pullUp = 2
    case pullDown = 3
  }

  public init(line: String, consumer: String, use: Use) {
    self.line = line
    self.consumer = consumer
    self.use = use
  }
}
