/// A program's claim of a GPIO line.
public struct LineClaim: Equatable, Sendable {
  /// The line's name on its chip, such as `GPIO17`.
  public var line: String
  /// The name of the line's holder, for other programs.
  public var consumer: String
  public var use: Use
  /// Whether the low level is the active one.
  public var isActiveLow = false
  public var bias = Bias.asIs
  /// The time a level must last before the chip reports it, in microseconds; 0 reports every edge.
  public var debounceMicroseconds: UInt32 = 0

  /// The use of a claimed line.
  public enum Use: Equatable, Sendable {
    /// The level is read on request.
    case input
    /// The line is driven, at first to this level.
    case output(isActive: Bool)
    /// The level is read on request, and every change is reported.
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
