/// The actions of a button's gestures: keys `Short`, `Long` and `Double` of `[Button NAME]`.
public struct ButtonActions: Equatable, Codable, Sendable {
  /// The action of a short press.
  public var short: ButtonAction
  /// The action of a long press.
  public var long: ButtonAction
  /// The action of two short presses.
  ///
  /// With `none` a double press is not recognized, and a short press acts at once.
  public var double: ButtonAction

  public init(
    short: ButtonAction = .none, long: ButtonAction = .none, double: ButtonAction = .none
  ) {
    self.short = short
    self.long = long
    self.double = double
  }

  /// The defaults of a button by its name: `HOME`, `ALLOW`, `SERVICES` and `MARK` have actions, other buttons have none.
  public init(defaultsFor name: String) {
    switch name {
    case "HOME": self.init(short: .home, long: .quit)
    case "ALLOW": self.init(short: .allow, long: .deny)
    case "SERVICES": self.init(long: .services)
    case "MARK": self.init(short: .mark)
    default: self.init()
    }
  }
}
