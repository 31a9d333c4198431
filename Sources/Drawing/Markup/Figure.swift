import BinnacleBasics

/// A finished drawing: its size, its elements, and the words that a screen reader reads.
public struct Figure: Sendable {
  public let width: Double
  public let height: Double
  /// The name of the drawing.
  public let title: String
  /// The drawing in a sentence.
  public let summary: String
  let body: String
  /// Facts for programs, as `data-` attributes.
  let facts: [(name: String, value: String)]

  init(
    width: Double, height: Double, title: String, summary: String, canvas: SVGCanvas,
    facts: [(name: String, value: String)] = []
  ) {
    self.width = width
    self.height = height
    self.title = title
    self.summary = summary
    self.facts = facts
    body = canvas.body
  }

  /// An SVG document that needs nothing else.
  public var document: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + tag(hasNamespace: true)
      + "<style>\(Stylesheet.ofDrawings)</style>\n" + content + "</svg>\n"
  }

  /// An element of a page that has the stylesheet.
  func element(kind: String) -> String {
    tag(hasNamespace: false, kind: kind) + content + "</svg>\n"
  }

  private func tag(hasNamespace: Bool, kind: String? = nil) -> String {
    let size = (SVGCanvas.number(width), SVGCanvas.number(height))
    var attributes: [(String, String)] = []
    if hasNamespace {
      attributes = [
        ("xmlns", "http://www.w3.org/2000/svg"), ("width", size.0), ("height", size.1),
      ]
    }
    if let kind { attributes.append(("class", kind)) }
    attributes += [("viewBox", "0 0 \(size.0) \(size.1)"), ("role", "img")]
    attributes += facts.map { ("data-\($0.name)", $0.value) }
    return Markup.tag("svg", attributes) + "\n"
  }

  private var content: String {
    "<title>\(Markup.escaped(title))</title>\n<desc>\(Markup.escaped(summary))</desc>\n" + body
  }
}
