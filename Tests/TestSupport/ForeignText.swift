/// Text that a stranger chose, with everything that must not reach a terminal.
public enum ForeignText {
  /// Escape sequences in 7 and 8 bits, line ends, a bell, backspaces, directions of reading, characters without a width.
  public static let sample =
    "a\u{1B}[2J\u{9B}31m\u{7}\u{8}\u{7F}\u{85}\r\n<0>b\u{202E}c\u{2066}d\u{200F}e\u{200B}f\u{2028}g\u{FEFF}h\u{AD}i\u{E0041}z"

  /// The characters of an output that control a terminal or are invisible, in base 16; line feeds are allowed.
  ///
  /// Found by the general categories of the standard library, not by the list that the product has.
  public static func remains(in output: String) -> [String] {
    output.unicodeScalars.filter { scalar in
      let category = scalar.properties.generalCategory
      return scalar != "\n"
        && ([.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
          || scalar.properties.isDefaultIgnorableCodePoint)
    }.map { String($0.value, radix: 16) }
  }
}
