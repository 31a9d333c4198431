/// The wire beside a path.
public struct Fence: Sendable {
  public init() {}
}
