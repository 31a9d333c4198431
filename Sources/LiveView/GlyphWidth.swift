import BinnacleBasics

/// The number of columns of a character on every terminal.
public enum GlyphWidth {
  /// The replacement for a character without a certain width.
  static let replacement: Unicode.Scalar = "?"

  /// A character as a cell shows it, with its width.
  ///
  /// Letters of Latin, Greek and Cyrillic are narrow; ideographs, kana and Hangul syllables are wide (Unicode Standard
  /// Annex 11, `EastAsianWidth.txt` of Unicode 16.0, classes W and F). Terminals disagree about the width of everything
  /// else, such as emoji and combining marks, so everything else is replaced.
  static func shown(_ scalar: Unicode.Scalar) -> (scalar: Unicode.Scalar, isWide: Bool) {
    guard PlainText.isPlain(scalar) else { return (replacement, false) }
    switch scalar.value {
    case 0x20...0x7E, 0xA1...0x2FF, 0x370...0x377, 0x37A...0x37F, 0x384...0x38A, 0x38C,
      0x38E...0x3A1, 0x3A3...0x482, 0x48A...0x52F:
      return (scalar, false)
    case 0x3001...0x303E, 0x3041...0x3096, 0x309B...0x30FF, 0x3105...0x312F, 0x3131...0x318E,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFA6D, 0xFF01...0xFF60:
      // U+302A to U+302F combine with the character before.
      return (0x302A...0x302F).contains(scalar.value) ? (replacement, false) : (scalar, true)
    default: return (replacement, false)
    }
  }

  /// The number of columns of a text.
  static func columns(of text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + (shown($1).isWide ? 2 : 1) }
  }

  /// A text in at most this many columns; `...` replaces the end.
  public static func clipped(_ text: String, to count: Int) -> String {
    guard columns(of: text) > count else { return text }
    var clipped = ""
    var width = 0
    for scalar in text.unicodeScalars {
      width += shown(scalar).isWide ? 2 : 1
      if width > count - 3 { break }
      clipped.unicodeScalars.append(scalar)
    }
    return clipped + "..."
  }
}
