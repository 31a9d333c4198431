/// The public declarations of files: the members of each public type.
struct PublicSymbols {
  /// The name of a type, such as `CLLocationUpdate.Updates`, and the names of its members; "" has everything outside of types.
  private(set) var members: [String: Set<String>] = [:]

  private var declared: Set<String> = [""]

  private struct Context {
    var name: String?
    var isProtocol = false
    var isEnum = false
    var isPublic = false
  }

  private static let typeKinds = ["struct", "enum", "class", "protocol", "actor", "extension"]
  private static let memberKinds = ["func", "var", "let", "init", "subscript", "case"]
  private static let modifiers = [
    "public", "package", "internal", "private", "fileprivate", "final", "open", "indirect",
    "static",
    "class", "override", "weak", "nonisolated", "mutating", "nonmutating", "convenience",
    "required",
    "(", "set", ")",
  ]

  init(_ files: [SourceFile]) {
    for file in files { read(file.tokens) }
    // Extensions of types of other modules.
    members = members.filter { declared.contains($0.key) }
  }

  private mutating func read(_ tokens: [SourceFile.Token]) {
    var contexts = [Context(name: "", isPublic: true)]
    var pending: Context?
    for (index, token) in tokens.enumerated() {
      switch token.text {
      case "{":
        contexts.append(pending ?? Context())
        pending = nil
      case "}": contexts.removeLast()
      case _ where PublicSymbols.typeKinds.contains(token.text):
        guard let around = contexts.last, let name = PublicSymbols.typeName(tokens, after: index)
        else { continue }
        let isExtension = token.text == "extension"
        let isPublic = isExtension || PublicSymbols.isPublic(tokens, at: index)
        let prefix = around.name.map { $0.isEmpty ? "" : $0 + "." } ?? ""
        pending = Context(
          name: around.name == nil ? nil : prefix + name, isProtocol: token.text == "protocol",
          isEnum: token.text == "enum", isPublic: isPublic && around.isPublic)
        if isPublic, !isExtension, around.isPublic {
          declared.insert(prefix + name)
          members[prefix + name, default: []].formUnion([])
        }
      case _ where PublicSymbols.memberKinds.contains(token.text):
        guard let around = contexts.last, let owner = around.name, around.isPublic else { continue }
        let isImplied = around.isProtocol || around.isEnum && token.text == "case"
        guard isImplied || PublicSymbols.isPublic(tokens, at: index) else { continue }
        let names = PublicSymbols.names(tokens, at: index).filter { $0.first?.isLetter == true }
        members[owner, default: []].formUnion(names)
      case _: continue
      }
    }
  }

  private static func isPublic(_ tokens: [SourceFile.Token], at index: Int) -> Bool {
    tokens[..<index].reversed().prefix { modifiers.contains($0.text) }
      .contains { $0.text == "public" || $0.text == "open" }
  }

  /// The dotted name after the word that begins a type; nil if no type begins there.
  private static func typeName(_ tokens: [SourceFile.Token], after index: Int) -> String? {
    if index > 0, ["import", "."].contains(tokens[index - 1].text) { return nil }
    var name = ""
    var next = index + 1
    while next < tokens.count, tokens[next].text.first?.isUppercase == true {
      name += tokens[next].text
      guard next + 1 < tokens.count, tokens[next + 1].text == "." else { break }
      name += "."
      next += 2
    }
    return name.isEmpty ? nil : name
  }

  private static func names(_ tokens: [SourceFile.Token], at index: Int) -> Set<String> {
    let kind = tokens[index].text
    if kind == "init" || kind == "subscript" { return [kind] }
    var names: Set<String> = []
    var depth = 0
    var isNext = true
    for token in tokens[(index + 1)...].prefix(200) {
      switch token.text {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "`": continue
      case "," where depth == 0: isNext = true
      case _ where isNext && depth == 0:
        names.insert(token.text)
        isNext = false
        if kind != "case" { return names }
      case _ where depth == 0: return names
      case _: continue
      }
    }
    return names
  }
}
