import Board

/// The picture of a board's header with its wires, as SVG.
///
/// Everything in it comes from the profile and its table, so it cannot say anything else.
struct BoardDrawing {
  let wiring: Wiring
  let pinCount: Int

  private let width = 1_080
  private let rowHeight = 30
  private let top = 128
  private let middle = 540

  var svg: String {
    let rowCount = pinCount / 2
    let bottom = top + rowCount * rowHeight
    let height = bottom + 150
    var parts = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" font-family="Helvetica, Arial, sans-serif">
      """,
      """
      <rect x="1" y="1" width="\(width - 2)" height="\(height - 2)" rx="16" fill="#fbfbf8" \
      stroke="#d5d5cd" stroke-width="2"/>
      """,
      text(middle, 46, BoardDrawing.title(wiring), size: 26, weight: 700, anchor: "middle"),
      text(middle, 74, subtitle, size: 14, color: "#666660", anchor: "middle"),
      """
      <rect x="\(middle - 43)" y="\(top - 24)" width="86" height="\(rowCount * rowHeight + 18)" rx="8" \
      fill="#2b2d2f"/>
      """,
      text(middle - 60, top - 12, "pin 1", size: 12, color: "#666660", anchor: "end"),
    ]
    parts += (1...pinCount).map { pin($0) }
    parts += circuits(at: bottom + 40)
    return (parts + ["</svg>", ""]).joined(separator: "\n")
  }

  static func title(_ wiring: Wiring) -> String {
    wiring.profile.board.name ?? wiring.name
  }

  private var subtitle: String {
    var parts: [String] = []
    if case .serial(let path) = wiring.profile.receiver.device { parts.append("receiver: \(path)") }
    if case .device(let path) = wiring.profile.board.bus { parts.append("accelerometer: \(path)") }
    if case .chip(let label) = wiring.profile.board.lines { parts.append("lines: \(label)") }
    return parts.joined(separator: "    ·    ")
  }

  // MARK: A pin

  private func pin(_ number: Int) -> String {
    let isLeft = number % 2 == 1
    let x = middle + (isLeft ? -20 : 20)
    let y = top + (number - 1) / 2 * rowHeight
    guard let row = wiring.rows.first(where: { $0.pin == number }) else {
      return circle(x, y, fill: "#3d4043", stroke: "#6d7175")
        + text(x, y + 4, "\(number)", size: 10, color: "#a8acb0", anchor: "middle")
    }
    let color = BoardDrawing.color(of: row)
    let side = isLeft ? -1 : 1
    let first = middle + side * 236
    var parts = [
      """
      <path d="M \(x) \(y) H \(first)" stroke="\(color)" stroke-width="2.5" fill="none"/>
      """,
      circle(x, y, fill: color, stroke: "#ffffff"),
      text(x, y + 4, "\(number)", size: 10, color: "#ffffff", weight: 700, anchor: "middle"),
      name(row.line, isLeft: isLeft, y),
    ]
    var edge = first
    for use in row.uses {
      let length = 22 + use.count * 7
      parts.append(pill(isLeft ? edge - length : edge, y, length, use))
      edge += side * (length + 6)
    }
    return parts.joined(separator: "\n")
  }

  /// The line's name, on a ground that covers the wire behind it.
  private func name(_ line: String, isLeft: Bool, _ y: Int) -> String {
    let length = 18 + line.count * 9
    let x = middle + (isLeft ? -54 - length : 54)
    return """
      <rect x="\(x)" y="\(y - 10)" width="\(length)" height="20" fill="#fbfbf8"/>
      """
        + text(
          middle + (isLeft ? -60 : 60), y + 5, line, size: 14, weight: 600,
          anchor: isLeft ? "end" : "start")
  }

  private func pill(_ x: Int, _ y: Int, _ length: Int, _ use: String) -> String {
    let color = BoardDrawing.color(of: use)
    return """
      <rect x="\(x)" y="\(y - 11)" width="\(length)" height="22" rx="11" fill="\(color)"/>
      """ + text(x + length / 2, y + 4, use, size: 13, color: "#ffffff", anchor: "middle")
  }

  private static func color(of row: Wiring.Row) -> String {
    switch row.line {
    case "3.3 V", "5 V": "#c62f2f"
    case "GND": "#17191b"
    default: color(of: row.uses.first ?? "")
    }
  }

  private static func color(of use: String) -> String {
    switch use.prefix(while: { $0 != " " }) {
    case "receiver": "#1d63c4"
    case "accelerometer": "#1d7f4e"
    case "indicator": "#b6520f"
    case "status": "#84690c"
    default: "#6a3fb5"
    }
  }

  // MARK: How lights and buttons are wired

  private func circuits(at y: Int) -> [String] {
    let light = middle - 330
    let button = middle + 60
    return [
      text(light - 60, y + 4, "a light", size: 14, weight: 600, anchor: "start"),
      wire(light, y + 0, to: light + 52),
      """
      <rect x="\(light + 52)" y="\(y - 8)" width="48" height="16" fill="#fbfbf8" stroke="#17191b" \
      stroke-width="2"/>
      """,
      text(light + 76, y + 26, "470 Ω", size: 12, color: "#666660", anchor: "middle"),
      wire(light + 100, y, to: light + 132),
      """
      <path d="M \(light + 132) \(y - 11) L \(light + 154) \(y) L \(light + 132) \(y + 11) Z" \
      fill="#b6520f"/><path d="M \(light + 154) \(y - 11) V \(y + 11)" stroke="#17191b" stroke-width="2.5"/>
      """,
      wire(light + 154, y, to: light + 190), ground(light + 190, y),
      text(light, y - 10, "line", size: 12, color: "#666660", anchor: "start"),
      text(button - 78, y + 4, "a button", size: 14, weight: 600, anchor: "start"),
      wire(button, y, to: button + 56),
      """
      <circle cx="\(button + 56)" cy="\(y)" r="3.5" fill="#17191b"/>\
      <circle cx="\(button + 92)" cy="\(y)" r="3.5" fill="#17191b"/>\
      <path d="M \(button + 56) \(y) L \(button + 90) \(y - 14)" stroke="#6a3fb5" stroke-width="3"/>
      """,
      wire(button + 92, y, to: button + 140), ground(button + 140, y),
      text(button, y - 10, "line", size: 12, color: "#666660", anchor: "start"),
      text(
        middle, y + 74, "The receiver's TX goes to the board's RX and the other way round.",
        size: 13,
        color: "#666660", anchor: "middle"),
    ]
  }

  private func wire(_ x: Int, _ y: Int, to end: Int) -> String {
    "<path d=\"M \(x) \(y) H \(end)\" stroke=\"#17191b\" stroke-width=\"2\"/>"
  }

  private func ground(_ x: Int, _ y: Int) -> String {
    """
    <path d="M \(x) \(y) V \(y + 14) M \(x - 11) \(y + 14) H \(x + 11) M \(x - 7) \(y + 19) H \(x + 7) \
    M \(x - 3) \(y + 24) H \(x + 3)" stroke="#17191b" stroke-width="2" fill="none"/>
    """ + text(x + 20, y + 22, "GND", size: 12, color: "#666660", anchor: "start")
  }

  private func circle(_ x: Int, _ y: Int, fill: String, stroke: String) -> String {
    "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"11\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"1.5\"/>"
  }

  private func text(
    _ x: Int, _ y: Int, _ words: String, size: Int, color: String = "#17191b", weight: Int = 400,
    anchor: String
  ) -> String {
    """
    <text x="\(x)" y="\(y)" font-size="\(size)" font-weight="\(weight)" fill="\(color)" \
    text-anchor="\(anchor)">\(words)</text>
    """
  }
}
