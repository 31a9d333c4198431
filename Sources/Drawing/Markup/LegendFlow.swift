/// Places the entries of a legend one after another, in as many lines as they need.
struct LegendFlow {
  private let left: Double
  private let right: Double
  private let lineHeight: Double
  private var x: Double
  /// The base line of the present line.
  private(set) var y: Double

  init(left: Double, right: Double, y: Double, lineHeight: Double = 20) {
    (self.left, self.right, self.y, self.lineHeight) = (left, right, y, lineHeight)
    x = left
  }

  /// The place of an entry with this width.
  mutating func next(width: Double) -> PlanePoint {
    if x > left, x + width > right { newLine() }
    defer { x += width }
    return PlanePoint(x: x, y: y)
  }

  mutating func newLine() {
    x = left
    y += lineHeight
  }

  /// Writes words in as many lines as they need; the next entry begins a new line.
  mutating func write(_ kind: String, _ parts: [String], size: Double, into canvas: inout SVGCanvas)
  {
    var line = ""
    for (index, part) in parts.enumerated() {
      let text = index + 1 < parts.count ? part + "," : part
      let joined = line.isEmpty ? text : line + " " + text
      if !line.isEmpty, SVGCanvas.width(of: joined, size: size) > right - left {
        canvas.text(kind, line, x: left, y: y)
        newLine()
        line = text
      } else {
        line = joined
      }
    }
    if !line.isEmpty { canvas.text(kind, line, x: left, y: y) }
    newLine()
  }
}
