/// An empty line in a ``VStack``, and further blanks in an ``HStack``.
public struct Spacer: View, DrawnView {
  public typealias Body = Never

  /// Makes the space.
  public init() {}

  func draw(at place: ViewPlace) -> [String] { [""] }
}
