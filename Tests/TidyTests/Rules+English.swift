extension Rules {
  /// Folders of `Sources` whose comments keep ``riddles(_:)``; a folder that becomes clean is added.
  static let plainFolders = [
    "AppRuntime", "Basics", "Board", "Geodesy", "Gzip", "I2C", "Posix", "VirtualWire",
  ]

  /// A comment names the component: no sentence begins with "Who" or "What", no component is "nobody" or "somebody".
  static func riddles(_ file: SourceFile) -> [Complaint] {
    guard let target = file.target, plainFolders.contains(target) else { return [] }
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
