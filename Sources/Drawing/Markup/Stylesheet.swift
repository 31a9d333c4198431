/// The colors and lines of all drawings, for a light and a dark background.
///
/// Some renderers know no variables of CSS, so each class has its color once for each background. A program that does
/// not know `prefers-color-scheme` shows the light colors.
public enum Stylesheet {
  /// A class with what is equal on both backgrounds, and its colors.
  private struct Rule {
    let name: String
    let fixed: String
    let light: String
    let dark: String

    init(_ name: String, _ fixed: String = "", light: String = "", dark: String = "") {
      (self.name, self.fixed, self.light, self.dark) = (name, fixed, light, dark)
    }
  }

  private static func fill(_ name: String, _ light: String, _ dark: String, _ fixed: String = "")
    -> Rule
  {
    Rule(name, fixed, light: "fill:\(light)", dark: "fill:\(dark)")
  }

  private static func stroke(_ name: String, _ light: String, _ dark: String, _ fixed: String)
    -> Rule
  {
    Rule(name, "fill:none;\(fixed)", light: "stroke:\(light)", dark: "stroke:\(dark)")
  }

  private static let ink = ("#1b1f24", "#e6edf3")
  private static let dim = ("#57606a", "#9aa5b1")

  private static let base: [Rule] = [
    Rule(
      "t", "font:12px/1 system-ui,'DejaVu Sans',Arial,sans-serif", light: "fill:#1b1f24",
      dark: "fill:#e6edf3"),
    Rule(
      "h", "font:bold 16px/1 system-ui,'DejaVu Sans',Arial,sans-serif", light: "fill:#1b1f24",
      dark: "fill:#e6edf3"),
    Rule(
      "s", "font:11px/1 system-ui,'DejaVu Sans',Arial,sans-serif", light: "fill:#57606a",
      dark: "fill:#9aa5b1"),
    Rule(
      "l",
      "font:11px/1 system-ui,'DejaVu Sans',Arial,sans-serif;paint-order:stroke;stroke-width:3px;stroke-linejoin:round",
      light: "fill:#1b1f24;stroke:#fff", dark: "fill:#e6edf3;stroke:#11161c"),
    fill("bg", "#ffffff", "#11161c"),
    fill("ink", ink.0, ink.1),
    stroke("frame", "#8c959f", "#57606a", "stroke-width:1"),
    stroke("grid", "#dfe3e8", "#2a323b", "stroke-width:1"),
    stroke("rule", ink.0, ink.1, "stroke-width:1.5"),
    stroke("thin", dim.0, dim.1, "stroke-width:1"),
    stroke("hatch", "#8c959f", "#6e7781", "stroke-width:1"),
    fill("veil", "#eef1f4", "#1c232b"),
  ]

  private static let track: [Rule] = [
    fill("acc", "#4a7bd0", "#5f8fe0"),
    stroke("gap", dim.0, dim.1, "stroke-width:1.5;stroke-dasharray:2 5;stroke-linecap:round"),
    stroke("vu", "#6e7781", "#8b949e", "stroke-width:2;stroke-linejoin:round;stroke-linecap:round"),
    Rule(
      "pausebody", "stroke-width:1.5", light: "fill:#fff;stroke:#1b1f24",
      dark: "fill:#11161c;stroke:#e6edf3"),
    Rule(
      "startbody", "stroke-width:1.5", light: "fill:#1a7f37;stroke:#fff",
      dark: "fill:#3fb950;stroke:#11161c"),
    Rule(
      "endbody", "stroke-width:1.5", light: "fill:#1b1f24;stroke:#fff",
      dark: "fill:#e6edf3;stroke:#11161c"),
    Rule(
      "markbody", "stroke-width:1.5", light: "fill:#bf3989;stroke:#fff",
      dark: "fill:#f778ba;stroke:#11161c"),
  ]

  /// Slow to fast: the colors differ in brightness and hue, and the lines become thicker.
  static let speedColors: [(light: String, dark: String)] = [
    ("#5b8def", "#4f7fd6"), ("#0f8a8a", "#2fb3b3"), ("#2f7d32", "#6cc070"),
    ("#9a6700", "#d9a93a"), ("#c4431a", "#ff8f5e"), ("#8a1253", "#ff7ab8"),
  ]

  private static let speeds: [Rule] = speedColors.enumerated().map { index, color in
    let width = ["1.8", "2.2", "2.6", "3", "3.4", "3.8"][index]
    return stroke(
      "v\(index)", color.light, color.dark,
      "stroke-width:\(width);stroke-linejoin:round;stroke-linecap:round")
  }

  /// A satellite system: `cN` fills, `oN` outlines.
  static let systemColors: [(light: String, dark: String)] = [
    ("#0969da", "#58a6ff"), ("#6e7781", "#a8b1bb"), ("#8250df", "#c09aff"),
    ("#bc4c00", "#ff9d5c"), ("#4d5560", "#8b949e"), ("#bf3989", "#ff8cc6"),
    ("#1a7f37", "#4ac26b"), ("#7a5d00", "#d4b13f"),
  ]

  private static let systems: [Rule] =
    systemColors.enumerated().flatMap { index, color in
      [
        Rule(
          "c\(index)", "stroke-width:1.6", light: "fill:\(color.light);stroke:\(color.light)",
          dark: "fill:\(color.dark);stroke:\(color.dark)"),
        Rule(
          "o\(index)", "stroke-width:1.6", light: "fill:#fff;stroke:\(color.light)",
          dark: "fill:#11161c;stroke:\(color.dark)"),
        Rule(
          "n\(index)", "font:bold 10px/1 system-ui,'DejaVu Sans',Arial,sans-serif",
          light: "fill:\(color.light)", dark: "fill:\(color.dark)"),
      ]
    } + [
      Rule(
        "nu", "font:bold 10px/1 system-ui,'DejaVu Sans',Arial,sans-serif", light: "fill:#fff",
        dark: "fill:#11161c")
    ]

  private static let day: [Rule] = [
    fill("moving", "#bc4c00", "#ff9d5c"), fill("resting", "#2f7d32", "#6cc070"),
    fill("not_judged", "#afb8c1", "#484f58"),
    fill("fix", "#0969da", "#58a6ff"), fill("searching", "#9a6700", "#d9a93a"),
    fill("paused", "#2f7d32", "#6cc070"), fill("asleep", "#8250df", "#c09aff"),
    fill("silent", "#cf222e", "#ff7b72"), fill("absent", "#afb8c1", "#484f58"),
    fill("lit", "#bf8700", "#f2cc60"), fill("asserting", "#9a6700", "#d9a93a"),
    fill("failed", "#cf222e", "#ff7b72"), fill("dark", "#afb8c1", "#484f58"),
    fill("foreground", "#0969da", "#58a6ff"), fill("background", "#8250df", "#c09aff"),
    fill("suspended", "#6e7781", "#8b949e"), fill("not_running", "#afb8c1", "#484f58"),
    fill("use", "#bf3989", "#ff8cc6"),
  ]

  private static var all: [Rule] { base + track + speeds + systems + day }

  /// The rules of all drawings.
  public static let ofDrawings: String = {
    let fixed = all.map {
      ".\($0.name){\([$0.fixed, $0.light].filter { !$0.isEmpty }.joined(separator: ";"))}"
    }
    let dark = all.map { ".\($0.name){\($0.dark)}" }
    return fixed.joined() + "@media (prefers-color-scheme:dark){" + dark.joined() + "}"
  }()
}
