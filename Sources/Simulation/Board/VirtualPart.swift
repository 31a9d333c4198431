/// A part that is wired to the lines of a virtual board.
public enum VirtualPart: Equatable, Sendable {
  /// A push button between a line and ground, or between a line and the supply.
  ///
  /// A resistor outside the chip holds the line at the opposite level while the button is released.
  case button(name: String, line: String, isPressedHigh: Bool)
  /// A lamp that shows the level of a line.
  case lamp(name: String, line: String)
  /// A wire: the second line has the first line's level.
  case wire(from: String, to: String)

  /// The parts of the board that `boards/virtual.conf` describes.
  public static let ofVirtualProfile: [VirtualPart] = [
    .button(name: "HOME", line: "GPIO5", isPressedHigh: false),
    .button(name: "ALLOW", line: "GPIO6", isPressedHigh: false),
    .lamp(name: "INDICATOR", line: "GPIO23"), .lamp(name: "STATUS", line: "GPIO24"),
    .wire(from: "GPIO23", to: "GPIO25"),
  ]
}
