/// Views side by side, with a blank between them.
public struct HStack<Content: View>: View, DrawnView {
  public typealias Body = Never

  private let content: Content

  /// Places views side by side.
  public init(@ViewBuilder content: () -> Content) {
    self.content = content()
  }

  func draw(at place: ViewPlace) -> [String] {
    guard let several = content as? any BlockView else { return place.draw(content, index: 0) }
    let columns = several.blocks(at: place)
    let height = columns.map(\.count).max() ?? 0
    return (0..<height).map { row in
      let cells = columns.map { column in
        let width = column.map(\.count).max() ?? 0
        let cell = row < column.count ? column[row] : ""
        return cell + String(repeating: " ", count: width - cell.count)
      }
      return String(cells.joined(separator: " ").reversed().drop { $0 == " " }.reversed())
    }
  }
}
