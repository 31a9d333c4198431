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

  /// What is on the board that `boards/virtual.conf` describes.
  public static let ofVirtualProfile: [VirtualPart] = [
    .button(name: "HOME", line: "GPIO5", isPressedHigh: false),
    .button(name: "ALLOW", line: "GPIO6", isPressedHigh: false),
    .lamp(name: "INDICATOR", line: "GPIO23"), .lamp(name: "STATUS", line: "GPIO24"),
    .wire(from: "GPIO23", to: "GPIO25"),
  ]
}
