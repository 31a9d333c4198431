/// A shell of the sea.
public struct Shell: Sendable {
  public init() {}
}
