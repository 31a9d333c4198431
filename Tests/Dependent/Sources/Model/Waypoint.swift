/// A point of a route.
public struct Waypoint: Sendable {
  public init() {}
}
