/// First steps on a route.
public struct Basics: Sendable {
  public init() {}
}
