/// Something that is wired to the lines of a virtual board.
public enum VirtualPart: Equatable, Sendable {
  /// A push button between a line and ground, or between a line and the supply.
  ///
  /// A resistor outside of the chip keeps the line at the other level while nobody presses.
  case button(name: String, line: String, isPressedHigh: Bool)
  /// A lamp that a line lights.
  case lamp(name: String, line: String)
  /// A wire: the second line has the first one's level.
  case wire(from: String, to: String)
}
