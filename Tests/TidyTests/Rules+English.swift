extension Rules {
  /// A comment names the component: no sentence begins with "Who" or "What", no component is "nobody" or "somebody".
  ///
  /// Names and comments of tests do not keep the rule yet.
  static func riddles(_ file: SourceFile) -> [Complaint] {
    if file.isTest { return [] }
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
}
