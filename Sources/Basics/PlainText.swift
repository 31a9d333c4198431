/// Text from outside, as a terminal or a log may get it.
///
/// Names of programs and devices, sentences of a daemon, values of files and texts of a receiver may hold characters
/// that move a cursor, change colors, end a line, turn the direction of reading or are invisible. Every text output of every
/// program goes through `line` or `lines`; JSON escapes the same characters instead.
public enum PlainText {
  /// The replacement for a character that is not plain.
  private static let replacement: Unicode.Scalar = "?"

  /// A text as one line: also a line feed in it becomes `?`.
  public static func line(_ text: String) -> String { replacing(text, keepsLineFeeds: false) }

  /// Whole output with line feeds of its own; values from outside have gone through `line` before.
  public static func lines(_ text: String) -> String { replacing(text, keepsLineFeeds: true) }

  /// Whether a character takes its own place in a line and changes nothing around it.
  ///
  /// Source: Unicode Character Database 16.0, `UnicodeData.txt` (general categories Cc, Cf, Zl and Zp) and
  /// `DerivedCoreProperties.txt` (Default_Ignorable_Code_Point).
  public static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: true
    case 0...0x1F, 0x7F...0x9F, 0xAD, 0x34F, 0x600...0x605, 0x61C, 0x6DD, 0x70F, 0x890...0x891,
      0x8E2,
      0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0x110BD, 0x110CD,
      0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
      false
    default: true
    }
  }

  private static func replacing(_ text: String, keepsLineFeeds: Bool) -> String {
    if isPlainASCII(text, keepsLineFeeds: keepsLineFeeds) { return text }
    let isPlain = { (scalar: Unicode.Scalar) in
      PlainText.isPlain(scalar) || keepsLineFeeds && scalar == "\n"
    }
    if text.unicodeScalars.allSatisfy(isPlain) { return text }
    var plain = ""
    for scalar in text.unicodeScalars {
      plain.unicodeScalars.append(isPlain(scalar) ? scalar : replacement)
    }
    return plain
  }

  /// Whether a text is plain and of ASCII only, as most are; to look at bytes is far cheaper than at characters.
  private static func isPlainASCII(_ text: String, keepsLineFeeds: Bool) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
      utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || keepsLineFeeds && $0 == 0x0A }
    }
  }
}
