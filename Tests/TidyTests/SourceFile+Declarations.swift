extension SourceFile {
  struct FunctionDeclaration {
    var name: String
    var firstLine: Int
    var lastLine: Int
  }

  struct TypeDeclaration {
    var name: String
    var line: Int
    /// How many braces stand around it.
    var depth: Int
    var isPrivate: Bool
  }

  func complaint(_ line: Int, _ text: String) -> Complaint {
    Complaint(path: path, line: line, text: text)
  }

  /// Functions, initializers and deinitializers that have a body.
  var functions: [FunctionDeclaration] {
    var found: [FunctionDeclaration] = []
    for (index, token) in tokens.enumerated() {
      guard ["func", "init", "deinit"].contains(token.text) else { continue }
      if index > 0, [".", "case"].contains(tokens[index - 1].text) { continue }
      guard let opening = bodyStart(after: index), let last = closing(of: opening) else { continue }
      let name = token.text == "func" ? tokens[index + 1].text : token.text
      found.append(.init(name: name, firstLine: token.line, lastLine: tokens[last].line))
    }
    return found
  }

  /// Types wherever they are declared; what is nested in a function counts too.
  var types: [TypeDeclaration] {
    let kinds = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    var found: [TypeDeclaration] = []
    var depth = 0
    for (index, token) in tokens.enumerated() {
      if token.text == "{" { depth += 1 }
      if token.text == "}" { depth -= 1 }
      guard kinds.contains(token.text), index + 1 < tokens.count else { continue }
      let name = tokens[index + 1].text
      guard let first = name.first, first.isUppercase else { continue }
      // `import struct Glibc.pollfd` declares nothing.
      if index > 0, tokens[index - 1].text == "import" { continue }
      let isPrivate = modifiers(before: index).contains { $0 == "private" || $0 == "fileprivate" }
      found.append(.init(name: name, line: token.line, depth: depth, isPrivate: isPrivate))
    }
    return found
  }

  /// Names of variables and parameters that are dictionaries or sets by their declared type or first value.
  var hashedNames: [String] {
    var found: [String] = []
    for (index, token) in tokens.enumerated() where token.isWord && index + 2 < tokens.count {
      let sign = tokens[index + 1].text
      guard sign == ":" || sign == "=" else { continue }
      let type = tokens[index + 2].text
      let isNamed = type == "Set" || type == "Dictionary"
      let isDictionary = type == "[" && isDictionaryType(at: index + 2)
      if isNamed || isDictionary { found.append(token.text) }
    }
    return found
  }

  private func isDictionaryType(at opening: Int) -> Bool {
    var depth = 0
    for token in tokens[opening...] {
      switch token.text {
      case "[", "(", "<": depth += 1
      case "]", ")", ">":
        depth -= 1
        if depth == 0 { return false }
      case ":" where depth == 1: return true
      case "?", ",",
        "{" where depth == 1:
        return false
      default: break
      }
    }
    return false
  }

  private func modifiers(before index: Int) -> [String] {
    let known = [
      "public", "package", "internal", "private", "fileprivate", "final", "open", "indirect",
    ]
    return tokens[..<index].reversed().prefix { known.contains($0.text) }.map(\.text)
  }

  /// The brace that opens a function's body; nothing for a protocol's requirement.
  private func bodyStart(after index: Int) -> Int? {
    var depth = 0
    for number in (index + 1)..<tokens.count {
      switch tokens[number].text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "{" where depth == 0: return number
      case "}" where depth == 0: return nil
      case "func", "var", "let", "case", "init", "static", "struct", "associatedtype":
        if depth == 0 { return nil }
      default: break
      }
    }
    return nil
  }

  private func closing(of opening: Int) -> Int? {
    var depth = 0
    for number in opening..<tokens.count {
      if tokens[number].text == "{" { depth += 1 }
      if tokens[number].text == "}" { depth -= 1 }
      if depth == 0 { return number }
    }
    return nil
  }
}
