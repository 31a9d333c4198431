/// The look of a character on a screen; a color never stands without a word or a mark of the same meaning.
public enum CellStyle: UInt8, CaseIterable, Sendable {
  case plain
  case strong
  /// The title and the list of keys: reverse video.
  case bar
  case good
  case warning
  case bad

  /// The escape sequence that sets this look and no other.
  ///
  /// SGR (ECMA-48, 8.3.117): 1 bold, 7 reverse, 31 red, 32 green, 33 yellow.
  ///
  /// - Parameter hasColors: whether the terminal has colors; without them warnings are bold.
  /// - Returns: the bytes of the sequence as text.
  func sequence(hasColors: Bool) -> String {
    switch self {
    case .plain: "\u{1B}[m"
    case .strong: "\u{1B}[0;1m"
    case .bar: "\u{1B}[0;7m"
    case .good: hasColors ? "\u{1B}[0;32m" : "\u{1B}[m"
    case .warning: hasColors ? "\u{1B}[0;33m" : "\u{1B}[0;1m"
    case .bad: hasColors ? "\u{1B}[0;1;31m" : "\u{1B}[0;1m"
    }
  }
}
