/// Splits Swift code into tokens, comments and strings; it knows just enough of the language for that.
struct Scanner {
  private let bytes: [UInt8]
  private var index = 0
  private(set) var line = 1
  private(set) var tokens: [SourceFile.Token] = []
  private(set) var comments: [SourceFile.Passage] = []
  private(set) var strings: [SourceFile.Passage] = []
  private var endOfLastToken = -1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Scans to the end, or in an interpolation to the bracket that closes it.
  mutating func scanCode(until closing: UInt8?) {
    var depth = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        index += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"): index += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): scanLineComment()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): scanBlockComment()
      case UInt8(ascii: "\""): scanString(hashes: 0)
      case UInt8(ascii: "#") where startsRawString: scanRawString()
      default:
        if let closing, byte == closing, depth == 0 { return }
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        scanToken()
      }
    }
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }

  private var startsRawString: Bool {
    var distance = 1
    while peek(distance) == UInt8(ascii: "#") { distance += 1 }
    return peek(distance) == UInt8(ascii: "\"")
  }

  private mutating func scanToken() {
    let start = index
    if SourceFile.isWordByte(bytes[index]) {
      while index < bytes.count, SourceFile.isWordByte(bytes[index]) { index += 1 }
    } else if isComparisonOrAssignment || isArrow {
      index += 2
    } else {
      index += 1
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    tokens.append(.init(text: text, line: line, isAttached: start == endOfLastToken))
    endOfLastToken = index
  }

  private var isComparisonOrAssignment: Bool {
    "!<=>+-*/&|".utf8.contains(bytes[index]) && peek(1) == UInt8(ascii: "=")
  }

  private var isArrow: Bool {
    bytes[index] == UInt8(ascii: "-") && peek(1) == UInt8(ascii: ">")
  }

  private mutating func scanLineComment() {
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    keep(start..<index, startingAt: line, in: \.comments)
  }

  private mutating func scanBlockComment() {
    let start = index
    let startLine = line
    index += 2
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") { break }
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
    index = min(index + 2, bytes.count)
    keep(start..<index, startingAt: startLine, in: \.comments)
  }

  private mutating func scanRawString() {
    var hashes = 0
    while peek(0) == UInt8(ascii: "#") {
      hashes += 1
      index += 1
    }
    scanString(hashes: hashes)
  }

  /// Scans a string from its first quote; a token `""` stands for it.
  private mutating func scanString(hashes: Int) {
    let quotes = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") ? 3 : 1
    tokens.append(.init(text: "\"\"", line: line, isAttached: index == endOfLastToken))
    index += quotes
    let start = index
    let startLine = line
    while index < bytes.count, !isAtEnd(quotes: quotes, hashes: hashes) {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      if bytes[index] == UInt8(ascii: "\\"), areHashes(hashes, at: 1) {
        index += 1 + hashes
        if peek(0) == UInt8(ascii: "(") {
          index += 1
          scanCode(until: UInt8(ascii: ")"))
        }
      }
      index += 1
    }
    keep(start..<min(index, bytes.count), startingAt: startLine, in: \.strings)
    index = min(index + quotes + hashes, bytes.count)
    endOfLastToken = index
  }

  private func isAtEnd(quotes: Int, hashes: Int) -> Bool {
    for distance in 0..<quotes where peek(distance) != UInt8(ascii: "\"") { return false }
    return areHashes(hashes, at: quotes)
  }

  private func areHashes(_ count: Int, at distance: Int) -> Bool {
    for step in 0..<count where peek(distance + step) != UInt8(ascii: "#") { return false }
    return true
  }

  private mutating func keep(
    _ range: Range<Int>, startingAt startLine: Int,
    in passages: WritableKeyPath<Scanner, [SourceFile.Passage]>
  ) {
    let text = String(decoding: bytes[range], as: UTF8.self)
    self[keyPath: passages].append(.init(text: text, line: startLine))
  }
}
