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
    var word = ""
    var quote: Character?
    var isEscaped = false
    for character in line {
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
        if isLastOpen { words.append(word) }
        word = ""
        isLastOpen = false
      } else {
        word.append(character)
        isLastOpen = true
      }
    }
    if isLastOpen { words.append(word) }
    isQuoteOpen = quote != nil
  }
}
