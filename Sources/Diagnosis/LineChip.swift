/// A GPIO chip of a machine and its lines, looked at without claiming any.
public struct LineChip: Equatable, Sendable {
  /// Its device, such as /dev/gpiochip0.
  public var device: String
  public var label: String
  public var lines: [Line]

  public struct Line: Equatable, Sendable {
    /// The line's name in the device tree or the driver; empty when it has none.
    public var name: String
    /// The name that the line's holder gave; nil: the line is free.
    public var holder: String?

    public init(name: String, holder: String? = nil) {
      self.name = name
      self.holder = holder
    }
  }

  public init(device: String, label: String, lines: [Line]) {
    self.device = device
    self.label = label
    self.lines = lines
  }
}
