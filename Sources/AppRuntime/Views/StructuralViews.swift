/// A view without lines.
public struct EmptyView: View, DrawnView {
  public typealias Body = Never

  /// Makes the view.
  public init() {}

  func draw(at place: ViewPlace) -> [String] { [] }
}

/// Several views, one below the other.
public struct TupleView<each Content: View>: View, DrawnView {
  public typealias Body = Never

  private let content: (repeat each Content)

  init(_ content: repeat each Content) {
    self.content = (repeat each content)
  }

  func draw(at place: ViewPlace) -> [String] { blocks(at: place).flatMap { $0 } }

  func blocks(at place: ViewPlace) -> [[String]] {
    var blocks: [[String]] = []
    for view in repeat each content { blocks.append(place.draw(view, index: blocks.count)) }
    return blocks
  }
}

/// The views of one of two branches.
public enum ConditionalView<First: View, Second: View>: View, DrawnView {
  public typealias Body = Never

  case first(First)
  case second(Second)

  func draw(at place: ViewPlace) -> [String] {
    switch self {
    case .first(let view): place.draw(view, index: 0)
    case .second(let view): place.draw(view, index: 1)
    }
  }
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

extension Optional: DrawnView where Wrapped: View {
  func draw(at place: ViewPlace) -> [String] { map { place.draw($0, index: 0) } ?? [] }
}

/// A view whose children an ``HStack`` places side by side.
@MainActor
protocol BlockView {
  func blocks(at place: ViewPlace) -> [[String]]
}

extension TupleView: BlockView {}
