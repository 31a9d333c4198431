import BinnacleBasics

/// The lines of a settings file: sections, assignments, comments.
enum SettingsText {
  /// The meaning of a line that is neither blank nor a comment.
  enum Entry: Equatable {
    /// `[Section]`.
    case section(Place, name: String)
    case assignment(Assignment)
  }

  /// `Key=Value` below `[Section]`.
  struct Assignment: Equatable {
    var place: Place
    var section: String
    var key: String
    var value: String
  }

  /// A line of a file.
  struct Place: Equatable {
    var file: String
    /// Counted from 1.
    var line: Int

    func complaint(_ key: String, _ text: String) -> SettingsError.Complaint {
      .init(file: file, line: line, key: SettingsText.shown(key), text: text)
    }
  }

  /// Parses a file; damaged lines are reported as faults and left out.
  ///
  /// - Parameters:
  ///   - file: the bytes of the file.
  ///   - noun: the name of this kind of file in messages.
  ///   - exampleSection: a section that it may have, for advice.
  /// - Returns: the file's settings and its faults.
  static func read(
    _ file: SettingsFile, noun: String, exampleSection: String
  ) -> ([Entry], [SettingsError.Complaint]) {
    var entries: [Entry] = []
    var complaints: [SettingsError.Complaint] = []
    var section: String?
    if let text = whollyWrong(file.bytes, noun: noun) {
      return ([], [.init(file: file.path, line: nil, key: "", text: text)])
    }
    let lines = withoutByteOrderMark(file.bytes).split(
      separator: 0x0A, omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated() where complaints.count < SettingsError.complaintsMax {
      let place = Place(file: file.path, line: index + 1)
      switch line(raw, noun: noun, exampleSection: exampleSection) {
      case .empty: break
      case .damaged(let text): complaints.append(place.complaint("", text))
      case .section(let name):
        section = name
        entries.append(.section(place, name: name))
      case .assignment(let key, let value):
        guard let section else {
          complaints.append(
            place.complaint(
              key, "stands before any section, put it below a line such as [\(exampleSection)]"))
          continue
        }
        entries.append(
          .assignment(Assignment(place: place, section: section, key: key, value: value)))
      }
    }
    return (entries, complaints)
  }

  /// The reason why a file is not a settings file; nil when its lines can be read.
  private static func whollyWrong(_ bytes: [UInt8], noun: String) -> String? {
    if bytes.count > fileLengthMax {
      return "is longer than \(fileLengthMax) bytes, too long for a \(noun)"
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return "is UTF-16 text, save the file as UTF-8"
    }
    guard bytes.count(where: { $0 == 0 }) >= zeroBytesMin else { return nil }
    return "is no text, a \(noun) is plain text in UTF-8"
  }

  private enum Line {
    case empty
    case damaged(String)
    case section(String)
    case assignment(key: String, value: String)
  }

  private static func line(
    _ raw: ArraySlice<UInt8>, noun: String, exampleSection: String
  ) -> Line {
    if raw.count > lineLengthMax {
      return .damaged("is longer than \(lineLengthMax) bytes, break it up or take it out")
    }
    if raw.contains(0) { return .damaged("holds a zero byte, a \(noun) is plain text") }
    guard let text = String(validating: raw, as: UTF8.self) else {
      return .damaged("is not UTF-8 text, save the file as UTF-8")
    }
    let line = trimmed(text[...])
    if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { return .empty }
    if line.hasPrefix("[") {
      guard line.hasSuffix("]"), line.count > 2 else {
        return .damaged("'\(shown(line))' is not a section, one looks like [\(exampleSection)]")
      }
      return .section(String(trimmed(line.dropFirst().dropLast())))
    }
    guard let sign = line.firstIndex(of: "=") else {
      return .damaged("'\(shown(line))' is not an assignment, one looks like Key=Value")
    }
    let key = trimmed(line[..<sign])
    if key.isEmpty { return .damaged("has no key before '=', one looks like Key=Value") }
    return .assignment(
      key: String(key), value: String(trimmed(line[line.index(after: sign)...])))
  }

  /// Text of a file as it may stand in a message: short, and without anything that moves a cursor.
  static func shown(_ text: some StringProtocol) -> String {
    let start = PlainText.line(String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))))
    return start + (text.unicodeScalars.count > 60 ? "..." : "")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    // Scalars, not characters: a carriage return and what follows it are one character.
    let scalars = text.unicodeScalars
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return text[first...last]
  }

  private static func withoutByteOrderMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  private static let lineLengthMax = 1_024
  private static let fileLengthMax = 65_536
  /// A file with so many zero bytes is not text.
  private static let zeroBytesMin = 8
}
