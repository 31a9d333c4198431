import TestSupport

/// A Swift file as the rules see it: words and signs, without comments and the insides of strings.
struct SourceFile {
  struct Token: Equatable {
    var text: String
    var line: Int
    /// Whether the token before ends where this one starts.
    var isAttached: Bool

    var isWord: Bool { text.utf8.first.map(SourceFile.isWordByte) ?? false }
  }

  /// Text that is no code: a comment, or the inside of a string.
  struct Passage {
    var text: String
    var line: Int
  }

  /// The path seen from the project's root.
  let path: String
  private(set) var tokens: [Token] = []
  private(set) var comments: [Passage] = []
  private(set) var strings: [Passage] = []
  private(set) var lineCount = 1

  init(path: String, text: String) {
    self.path = path
    var scanner = Scanner(Array(text.utf8))
    scanner.scanCode(until: nil)
    tokens = scanner.tokens
    comments = scanner.comments
    strings = scanner.strings
    lineCount = text.utf8.last == UInt8(ascii: "\n") ? scanner.line - 1 : scanner.line
  }

  /// `Sources/Wire/A.swift` is of `Wire`; nothing for a file outside of `Sources`.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count >= 3 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var isTest: Bool { path.hasPrefix("Tests/") }

  /// The file's name without folders and `.swift`.
  var stem: String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.hasSuffix(".swift") ? name.dropLast(6) : name)
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }
}
