public import BinnacleBasics
public import BinnacleModel

/// The buttons and lights of this board, and their timing.
public struct PanelSettings: Equatable, Codable, Sendable {
  /// Whether there is a lamp that shows the use of positions by programs in the background.
  public var hasIndicator = false
  /// Whether an input is wired to that lamp.
  public var hasIndicatorSense = false
  /// Whether there is a lamp that shows the receiver's state.
  public var hasStatusLight = false
  /// In the order of the profile, at most `LineID.buttonsMax`.
  public var buttons: [Button] = []
  public var gestures = GestureTiming()
  public var blinking = BlinkTiming()
  /// How long the lamp's sense may take to follow the lamp.
  public var senseSettling = Interval.milliseconds(50)
  /// The time between two attempts to claim an unavailable line: at first, and at most.
  public var lineRetryMin = Interval.seconds(1)
  public var lineRetryMax = Interval.seconds(30)

  /// One button.
  public struct Button: Equatable, Codable, Sendable {
    public var name: String
    /// A level counts when it has lasted this long.
    public var debounce = Interval.milliseconds(10)
    /// The action of each gesture.
    public var actions: ButtonActions

    public init(name: String) {
      self.name = name
      actions = ButtonActions(defaultsFor: name)
    }

    /// Whether a second short press within the window makes a double press; a short press then counts only after the window.
    var hasDouble: Bool { actions.double != .none }
  }

  public init() {}
}
