/// A spirit of the road.
public struct Daemon: Sendable {
  public init() {}
}
