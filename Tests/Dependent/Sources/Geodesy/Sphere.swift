/// The earth as a sphere.
public struct Sphere: Sendable {
  public init() {}
}
