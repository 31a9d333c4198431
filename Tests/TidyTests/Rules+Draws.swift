extension Rules {
  /// A switch over a drawn number reaches each of its cases.
  ///
  /// A case beyond the modulus is never drawn, and neither is a default beside a case for each number.
  static func drawnCases(_ file: SourceFile) -> [Complaint] {
    var found: [Complaint] = []
    for (index, token) in file.tokens.enumerated() where token.text == "switch" {
      guard let opening = file.tokens[index...].firstIndex(where: { $0.text == "{" }) else {
        continue
      }
      let subject = file.tokens[index..<opening].map(\.text)
      guard let count = drawnCount(subject) else { continue }
      found += unreachedCases(file, from: opening, count: count)
    }
    return found
  }

  /// The number of values of a subject such as `number % 12` or `Int.random(in: 0..<12, using: &random)`.
  private static func drawnCount(_ subject: [String]) -> Int? {
    let words = subject.filter { $0 != "(" && $0 != ")" }
    if words.count >= 2, words[words.count - 2] == "%" { return Int(words[words.count - 1]) }
    guard let start = words.firstIndex(of: "in"), start + 6 < words.count,
      Array(words[start..<start + 6]) == ["in", ":", "0", ".", ".", "<"]
    else { return nil }
    return Int(words[start + 6])
  }

  private static func unreachedCases(
    _ file: SourceFile, from opening: Int, count: Int
  ) -> [Complaint] {
    var found: [Complaint] = []
    var reached: Set<Int> = []
    var depth = 0
    for index in opening..<file.tokens.count {
      let token = file.tokens[index]
      if token.text == "{" { depth += 1 }
      if token.text == "}" { depth -= 1 }
      if depth == 0 { break }
      guard depth == 1, token.text == "case" || token.text == "default",
        ![".", ",", "if", "guard", "while", "for"].contains(file.tokens[index - 1].text)
      else { continue }
      let pattern = file.tokens[(index + 1)...].prefix { $0.text != ":" }.map(\.text).joined()
      if pattern.isEmpty || pattern == "_" {
        if (0..<count).allSatisfy({ reached.contains($0) }) {
          found.append(file.complaint(token.line, "the last case is never drawn"))
        }
        continue
      }
      for part in pattern.split(separator: ",") {
        guard let range = numbers(of: part) else { continue }
        reached.formUnion(range)
        if range.upperBound >= count {
          found.append(
            file.complaint(token.line, "\(part) is never drawn: the numbers end before \(count)"))
        }
      }
    }
    return found
  }

  /// The numbers of a pattern such as `5`, `5...6` or `5..<7`; nil for another pattern.
  private static func numbers(of pattern: Substring) -> ClosedRange<Int>? {
    if let number = Int(pattern) { return number...number }
    let bounds = pattern.split(separator: ".")
    guard bounds.count == 2, let first = Int(bounds[0]) else { return nil }
    let isHalfOpen = bounds[1].hasPrefix("<")
    guard let bound = Int(isHalfOpen ? bounds[1].dropFirst() : bounds[1]) else { return nil }
    let last = isHalfOpen ? bound - 1 : bound
    return first <= last ? first...last : nil
  }
}
