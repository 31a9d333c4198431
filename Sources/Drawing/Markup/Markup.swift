import BinnacleBasics

/// Text from outside as the content of an XML or HTML document.
///
/// All drawings, pages and exports escape here and nowhere else.
public enum Markup {
  /// A text as content of an element or as the value of an attribute in double quotation marks.
  ///
  /// A character that a terminal may not get, or that XML 1.0 forbids (section 2.2), becomes `?`.
  public static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in PlainText.line(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case _ where isForbidden(scalar): escaped += "?"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// U+FFFE, U+FFFF and their like at the end of each plane are no characters.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }

  /// A start tag or an empty element.
  static func tag(_ name: String, _ attributes: [(String, String)], isEmpty: Bool = false) -> String
  {
    let list = attributes.map { " \($0.0)=\"\(escaped($0.1))\"" }.joined()
    return "<\(name)\(list)\(isEmpty ? "/" : "")>"
  }
}
