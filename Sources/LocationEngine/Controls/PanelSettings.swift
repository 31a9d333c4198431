public import BinnacleBasics
public import BinnacleModel

/// The buttons and lights of this board, and their timing.
public struct PanelSettings: Equatable, Codable, Sendable {
  /// Whether there is a lamp that shows the use of positions by apps in the background.
  public var hasIndicator = false
  /// Whether the indicator keeps its state while no daemon runs, as an LED of the kernel does.
  public var isIndicatorLasting = false
  /// Whether an input is wired to the indicator's lamp.
  public var hasIndicatorSense = false
  /// Whether there is a lamp that shows the receiver's state.
  public var hasStatusLight = false
  /// In the order of the profile, at most `LineID.buttonsMax`.
  public var buttons: [Button] = []
  public var gestures = GestureTiming()
  public var blinking = BlinkTiming()
  /// The time limit for the indicator's sense to follow the lamp.
  public var senseSettling = Interval.milliseconds(50)
  /// The first time between two attempts to claim an unavailable line, and the longest.
  public var lineRetryMin = Interval.seconds(1)
  public var lineRetryMax = Interval.seconds(30)

  /// One button.
  public struct Button: Equatable, Codable, Sendable {
    public var name: String
    /// A level counts when it has lasted for this time.
    public var debounce = Interval.milliseconds(10)
    /// The action of each gesture.
    public var actions: ButtonActions
    /// The gesture that shows the presence of a person; nil: none does.
    public var presence: Gesture?

    public init(name: String) {
      self.name = name
      actions = ButtonActions(defaultsFor: name)
    }

    /// Whether a second short press within the window makes a double press; short presses then count after the window.
    var hasDouble: Bool { actions.double != .none || presence == .double }
  }

  public init() {}
}
