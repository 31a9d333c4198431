extension Rules {
  /// A comment names the component: no sentence begins with "Who" or "What", no component is "nobody" or "somebody".
  static func riddles(_ file: SourceFile) -> [Complaint] {
    let starts: Set<Substring> = ["Who", "What", "Whoever", "Whatever"]
    let anywhere: Set<Substring> = ["nobody", "somebody", "Nobody", "Somebody"]
    return file.comments.compactMap { comment in
      var isStart = true
      for word in comment.text.split(separator: " ") where !word.allSatisfy({ $0 == "/" }) {
        let letters = word.prefix { $0.isLetter }
        if isStart && starts.contains(letters) || anywhere.contains(letters) {
          return file.complaint(comment.line, "\(letters): name the component")
        }
        isStart = word.hasSuffix(".")
      }
      return nil
    }
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
