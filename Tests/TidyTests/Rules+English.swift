extension Rules {
  /// A comment names the component: no sentence begins with "Who" or "What", no component is "nobody" or "somebody".
  static func riddles(_ file: SourceFile) -> [Complaint] {
    file.comments.compactMap { comment in
      riddle(in: comment.text).map { file.complaint(comment.line, $0) }
    }
  }

  /// The same rule for the lines of a script, a makefile or a C program that begin with `#` or `//`.
  static func riddles(ofScript script: Document) -> [Complaint] {
    script.lines.enumerated().compactMap { index, line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("#") || text.hasPrefix("//"), let riddle = riddle(in: text) else {
        return nil
      }
      return Complaint(path: script.path, line: index + 1, text: riddle)
    }
  }

  private static func riddle(in comment: some StringProtocol) -> String? {
    let starts: Set<String> = ["Who", "What", "Whoever", "Whatever"]
    let anywhere: Set<String> = [
      "nobody", "somebody", "whoever", "himself", "anybody", "everybody",
    ]
    var isStart = true
    for word in comment.split(separator: " ") where !word.allSatisfy({ $0 == "/" || $0 == "#" }) {
      let letters = String(word.prefix { $0.isLetter })
      if isStart && starts.contains(letters) || anywhere.contains(letters.lowercased()) {
        return "\(letters): name the component"
      }
      isStart = word.hasSuffix(".")
    }
    return nil
  }

  /// The name of a test is a sentence about components: no "who" or "what", no "nobody" or "stranger", and no "tell" for a
  /// report.
  static func riddlesInNames(_ file: SourceFile) -> [Complaint] {
    guard file.isTest else { return [] }
    let riddles: Set<String> = [
      "who", "whom", "whoever", "what", "whatever", "nobody", "somebody", "everybody", "anybody",
      "everyone",
      "stranger", "strangers", "thing", "things", "tell", "tells", "told", "say", "foreseen",
      "though",
    ]
    var found: [Complaint] = []
    var isTest = false
    for (index, token) in file.tokens.enumerated() {
      let next = index + 1 < file.tokens.count ? file.tokens[index + 1].text : ""
      if token.text == "@", next == "Test" { isTest = true }
      guard token.text == "func", isTest else { continue }
      isTest = false
      for word in camelCaseWords(of: next) where riddles.contains(word.lowercased()) {
        found.append(file.complaint(token.line, "\(next): '\(word)': name the component"))
      }
    }
    return found
  }
}
