/// A page of documentation.
struct Document {
  let path: String
  let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The text of code blocks and between backticks, with its line.
  var code: [(text: Substring, line: Int)] {
    var found: [(text: Substring, line: Int)] = []
    var isFenced = false
    for (index, line) in lines.enumerated() {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isFenced.toggle()
      } else if isFenced {
        found.append((line, index + 1))
      } else {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        for number in stride(from: 1, to: parts.count, by: 2) {
          found.append((parts[number], index + 1))
        }
      }
    }
    return found
  }

  /// The targets of links `[text](target)`, code left out.
  var links: [(target: Substring, line: Int)] {
    var found: [(target: Substring, line: Int)] = []
    var isFenced = false
    for (index, line) in lines.enumerated() {
      if line.drop(while: { $0 == " " }).hasPrefix("```") { isFenced.toggle() }
      if isFenced { continue }
      for piece in line.split(separator: "]", omittingEmptySubsequences: false).dropFirst() {
        guard piece.hasPrefix("("), let end = piece.firstIndex(of: ")") else { continue }
        found.append((piece[piece.index(after: piece.startIndex)..<end], index + 1))
      }
    }
    return found
  }

  /// The folder that relative links start from, "" for the project's root.
  var folder: String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
