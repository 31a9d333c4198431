/// An action with a title.
///
/// A line shows the title in square brackets. The button is pressed by a short press of the board's button of the same name, if the
/// profile gives this press the action `mark`, while the app is in the foreground; and by a line with the title on standard
/// input, if that is a terminal.
public struct Button<Label: View>: View, DrawnView {
  public typealias Body = Never

  private let action: @MainActor () -> Void
  private let label: Label

  /// A button with a view as its title.
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.action = action
    self.label = label()
  }

  func draw(at place: ViewPlace) -> [String] {
    let title = place.draw(label, index: 0).joined(separator: " ")
    place.show(ButtonPlace(title: title, action: action))
    return ["[\(title)]"]
  }
}

extension Button where Label == Text {
  /// A button with a text as its title.
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.action = action
    label = Text(title)
  }
}

/// A button that is shown, and its action.
struct ButtonPlace {
  let title: String
  let action: @MainActor () -> Void
}
