/// A GPIO chip of a machine and its lines, looked at without claiming any.
public struct LineChip: Equatable, Sendable {
  /// Its device, such as /dev/gpiochip0.
  public var device: String
  public var label: String
  public var lines: [Line]

  public struct Line: Equatable, Sendable {
    /// What device tree or driver call it; empty: nothing.
    public var name: String
    /// What its holder calls itself; nil: nobody has it.
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
