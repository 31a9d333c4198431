/// A typed command line, divided into words as a shell divides it.
///
/// Blanks separate words. Single and double quotation marks keep blanks; a backslash keeps the next character.
public struct CommandWords: Equatable, Sendable {
  /// The words; the last word may be unfinished.
  public private(set) var words: [String] = []
  /// Whether the last word may continue: the line does not end with a blank.
  public private(set) var isLastOpen = false
  /// Whether a quotation mark is open at the end.
  public private(set) var isQuoteOpen = false

  public init(_ line: String) {
    // Not characters as people count them: a mark on a quotation mark would hide it.
    var word = String.UnicodeScalarView()
    var quote: Unicode.Scalar?
    var isEscaped = false
    for character in line.unicodeScalars {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
        isLastOpen = true
      } else if let open = quote {
        if character == open { quote = nil } else { word.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        isLastOpen = true
      } else if character == " " || character == "\t" {
        if isLastOpen { words.append(String(word)) }
        word = String.UnicodeScalarView()
        isLastOpen = false
      } else {
        word.append(character)
        isLastOpen = true
      }
    }
    if isLastOpen { words.append(String(word)) }
    isQuoteOpen = quote != nil
  }
}
