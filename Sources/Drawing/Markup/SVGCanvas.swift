import BinnacleBasics

/// Collects the elements of one drawing.
///
/// Coordinates are in the units of the drawing, which are pixels at its natural size. The classes of the elements are
/// those of ``Stylesheet``.
struct SVGCanvas {
  private(set) var body = ""

  /// A number with at most two decimals.
  static func number(_ value: Double, places: Int = 1) -> String {
    guard value.isFinite else { return "0" }
    var text = DecimalText.fixed(min(max(value, -1e7), 1e7), places: places)
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return text
  }

  private static func list(_ numbers: [(String, Double)]) -> [(String, String)] {
    numbers.map { ($0.0, number($0.1)) }
  }

  mutating func element(_ name: String, _ attributes: [(String, String)]) {
    body += Markup.tag(name, attributes, isEmpty: true) + "\n"
  }

  mutating func line(_ kind: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    element(
      "line",
      [("class", kind)] + SVGCanvas.list([("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)]))
  }

  mutating func rectangle(
    _ kind: String, x: Double, y: Double, width: Double, height: Double, radius: Double = 0,
    title: String? = nil
  ) {
    var attributes =
      [("class", kind)]
      + SVGCanvas.list([("x", x), ("y", y), ("width", max(0, width)), ("height", max(0, height))])
    if radius > 0 { attributes.append(("rx", SVGCanvas.number(radius))) }
    guard let title else { return element("rect", attributes) }
    body += Markup.tag("rect", attributes) + "<title>\(Markup.escaped(title))</title></rect>\n"
  }

  mutating func circle(_ kind: String, x: Double, y: Double, radius: Double, title: String? = nil) {
    let attributes = [("class", kind)] + SVGCanvas.list([("cx", x), ("cy", y), ("r", radius)])
    guard let title else { return element("circle", attributes) }
    body += Markup.tag("circle", attributes) + "<title>\(Markup.escaped(title))</title></circle>\n"
  }

  mutating func polyline(_ kind: String, _ points: [PlanePoint]) {
    let list = points.map { "\(SVGCanvas.number($0.x)),\(SVGCanvas.number($0.y))" }
    element("polyline", [("class", kind), ("points", list.joined(separator: " "))])
  }

  mutating func polygon(_ kind: String, _ points: [PlanePoint]) {
    let list = points.map { "\(SVGCanvas.number($0.x)),\(SVGCanvas.number($0.y))" }
    element("polygon", [("class", kind), ("points", list.joined(separator: " "))])
  }

  enum Anchor: String {
    case start
    case middle
    case end
  }

  mutating func text(
    _ kind: String, _ text: String, x: Double, y: Double, anchor: Anchor = .start
  ) {
    var attributes = [("class", kind)] + SVGCanvas.list([("x", x), ("y", y)])
    if anchor != .start { attributes.append(("text-anchor", anchor.rawValue)) }
    body += Markup.tag("text", attributes) + Markup.escaped(text) + "</text>\n"
  }

  mutating func group(_ attributes: [(String, String)], _ draw: (inout SVGCanvas) -> Void) {
    body += Markup.tag("g", attributes) + "\n"
    draw(&self)
    body += "</g>\n"
  }

  /// Draws into a rectangle with coordinates of its own, which cuts off all that is outside.
  mutating func nested(_ attributes: [(String, String)], _ draw: (inout SVGCanvas) -> Void) {
    body += Markup.tag("svg", attributes) + "\n"
    draw(&self)
    body += "</svg>\n"
  }

  mutating func append(_ other: SVGCanvas) { body += other.body }

  mutating func definition(_ markup: String) { body += "<defs>\(markup)</defs>\n" }

  /// The width of a text, estimated for the widest common sans-serif letters.
  static func width(of text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0.0) { $0 + ($1.value < 0x1100 ? 0.58 : 1.05) } * size
  }

  /// The text cut to a width; `…` replaces the end.
  static func clipped(_ text: String, size: Double, to width: Double) -> String {
    if self.width(of: text, size: size) <= width { return text }
    var clipped = text
    while !clipped.isEmpty, self.width(of: clipped + "…", size: size) > width {
      clipped.removeLast()
    }
    return clipped + "…"
  }
}
