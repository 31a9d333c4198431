/// Views, one below the other.
public struct VStack<Content: View>: View, DrawnView {
  public typealias Body = Never

  private let content: Content

  /// Stacks views.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  func draw(at place: ViewPlace) -> [String] { place.draw(content, index: 0) }
}
