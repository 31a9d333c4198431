public import BinnacleBasics

/// A page about the board that a browser opens from a file: track, satellites, the last day, and a table of facts.
///
/// The page loads nothing, and forbids this by its own policy. Each drawing is in the page twice, for wide and for narrow
/// screens.
public struct ReportPage {
  private let title: String
  private let made: UTCTime
  private let creator: String
  private let hasCoordinates: Bool
  private var sections: [String] = []

  /// - Parameters:
  ///   - title: such as the name of the board.
  ///   - made: when the page was made.
  ///   - creator: the program and its version.
  ///   - hasCoordinates: whether the page may contain positions; the page says which.
  public init(title: String, made: UTCTime, creator: String, hasCoordinates: Bool = true) {
    self.title = title
    self.made = made
    self.creator = creator
    self.hasCoordinates = hasCoordinates
  }

  /// Adds a drawing.
  public mutating func add(_ heading: String, wide: Figure, narrow: Figure) {
    sections.append(
      """
      <section>
      <h2 class="quiet">\(Markup.escaped(heading))</h2>
      \(wide.element(kind: "wide"))\(narrow.element(kind: "narrow"))</section>

      """)
  }

  /// Adds the reason why a drawing is missing.
  public mutating func add(_ heading: String, missing reason: String) {
    sections.append(
      "<section>\n<h2>\(Markup.escaped(heading))</h2>\n<p>\(Markup.escaped(reason))</p>\n</section>\n"
    )
  }

  /// Adds a table of facts: a name and its value in each row.
  ///
  /// - Parameters:
  ///   - heading: the name of the section.
  ///   - facts: the rows.
  ///   - isFolded: whether the reader has to open the table.
  public mutating func add(
    _ heading: String, facts: [(name: String, value: String)], isFolded: Bool = false
  ) {
    var rows = ""
    for fact in facts {
      rows +=
        "<tr><th scope=\"row\">\(Markup.escaped(fact.name))</th><td>\(Markup.escaped(fact.value))</td></tr>\n"
    }
    let name = Markup.escaped(heading)
    sections.append(
      isFolded
        ? "<section>\n<details><summary>\(name)</summary>\n<table>\n\(rows)</table>\n</details>\n</section>\n"
        : "<section>\n<h2>\(name)</h2>\n<table>\n\(rows)</table>\n</section>\n")
  }

  /// Adds sentences, one paragraph each.
  public mutating func add(_ heading: String, sentences: [String]) {
    let text = sentences.map { "<p>\(Markup.escaped($0))</p>\n" }.joined()
    sections.append("<section>\n<h2>\(Markup.escaped(heading))</h2>\n\(text)</section>\n")
  }

  /// Adds lines of text that the reader has to open, such as a log; the last line is the newest.
  public mutating func add(_ heading: String, lines: [String]) {
    let text = lines.map { Markup.escaped($0) }.joined(separator: "\n")
    sections.append(
      "<section>\n<details><summary>\(Markup.escaped(heading))</summary>\n<pre>\(text)</pre>\n</details>\n</section>\n"
    )
  }

  /// The whole page.
  public var document: String {
    let time = ClockText.dateAndTime(made)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="\(Markup.escaped(creator))">
      <title>\(Markup.escaped(title))</title>
      <style>\(ReportPage.style)\(Stylesheet.ofDrawings)</style>
      </head>
      <body>
      <header>
      <h1>\(Markup.escaped(title))</h1>
      <p>Made at \(time) UTC by \(Markup.escaped(creator)). \(remark)</p>
      </header>
      \(sections.joined())</body>
      </html>

      """
  }

  /// The sentence for the person who passes the page on.
  private var remark: String {
    hasCoordinates
      ? "This page contains positions; treat it like them."
      : "This page contains no coordinates: it has no track and no directions of satellites."
  }

  private static let style = """
    body{margin:0 auto;max-width:940px;padding:12px;font:16px/1.5 system-ui,'DejaVu Sans',Arial,sans-serif;\
    background:#f6f8fa;color:#1b1f24;overflow-wrap:anywhere}\
    h1{font-size:1.5em;margin:.3em 0}h2{font-size:1.15em;margin:0 0 .6em}\
    section{background:#fff;border:1px solid #d0d7de;border-radius:8px;padding:14px;margin:0 0 14px}\
    .quiet{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
    svg{display:block;width:100%;height:auto}.narrow{display:none}\
    table{border-collapse:collapse;width:100%;font-size:.9em}\
    summary{font-weight:bold;cursor:pointer}pre{font-size:.8em;white-space:pre-wrap}\
    th{text-align:left;font-weight:normal;color:#57606a;padding:3px 10px 3px 0;vertical-align:top;width:40%}\
    td{padding:3px 0}tr+tr>*{border-top:1px solid #eaeef2}p{margin:.4em 0}\
    @media (max-width:600px){body{padding:6px}section{padding:8px}.wide{display:none}.narrow{display:block}}\
    @media (prefers-color-scheme:dark){body{background:#0a0e13;color:#e6edf3}section{background:#11161c;border-color:#2a323b}\
    th{color:#9aa5b1}tr+tr>*{border-color:#2a323b}}\
    @media print{body{background:#fff}section{break-inside:avoid}}
    """
}
