/// Makes the scene of an app of the one scene in a closure.
@MainActor
@resultBuilder
public enum SceneBuilder {
  /// A scene.
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}
