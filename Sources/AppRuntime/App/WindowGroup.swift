/// The views of an app, which are lines in the output of the app.
public struct WindowGroup<Content: View>: Scene, DrawnScene {
  public typealias Body = Never

  private let content: () -> Content

  /// Shows views.
  public init(@ViewBuilder content: @escaping () -> Content) {
    self.content = content
  }

  func draw(at place: ViewPlace) -> [String] { place.draw(content(), index: 0) }
}
