/// The wood that a picnic is served on.
public struct Board: Sendable {
  public init() {}
}
