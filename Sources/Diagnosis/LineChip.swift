/// A GPIO chip of a machine with its lines, inspected without claiming a line.
public struct LineChip: Equatable, Sendable {
  /// The chip's device, such as /dev/gpiochip0.
  public var device: String
  public var label: String
  public var lines: [Line]

  public struct Line: Equatable, Sendable {
    /// The line's name from the device tree or the driver; empty without a name.
    public var name: String
    /// The name given by the line's holder; nil: the line is free.
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
