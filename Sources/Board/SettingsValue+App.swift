import BinnacleModel

extension SettingsValue {
  /// The identifier of an app: letters, digits, hyphens and dots, as in Apple's `CFBundleIdentifier`.
  static func appIdentifier(_ text: String) throws(Wrong) -> String {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isRight =
      text.utf8.count <= AppManifest.identifierSizeMax && parts.count > 1
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }
    guard isRight else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not an app's name, write it like "
          + "org.example.tracker (letters, digits, hyphens, a dot at least, "
          + "\(AppManifest.identifierSizeMax) at most)")
    }
    return text
  }

  /// The apps that get no locations: `no`, `all`, or names as `binnacle apps` prints them, separated by blanks.
  static func restriction(_ text: String) throws(Wrong) -> ConsentSettings.Restriction {
    switch text {
    case "no": return .none
    case "all": return .all
    case _:
      var names: [String] = []
      for word in text.split(separator: " ").map({ String($0) }) {
        if AppID(doorReader: word) == nil, !isUnlistedApp(word) { _ = try appIdentifier(word) }
        names.append(word)
      }
      return names.isEmpty ? .none : .apps(names)
    }
  }

  /// Whether text is the name of an app without a manifest, such as `1000:/usr/bin/tracker`.
  private static func isUnlistedApp(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), let userID = UInt32(text[..<colon]) else {
      return false
    }
    return text.hasPrefix("\(userID):/")
  }

  /// The program of an app.
  static func program(_ text: String) throws(Wrong) -> String {
    let parts = text.split(separator: "/")
    guard text.hasPrefix("/"), !text.hasSuffix("/"), !parts.contains(".."), !parts.contains(".")
    else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a program's path from the root, write it like "
          + "/usr/bin/tracker")
    }
    return "/" + parts.joined(separator: "/")
  }

  /// A user, by name or by number.
  static func user(_ text: String) throws(Wrong) -> String {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    // The names that useradd(8) takes.
    let isName =
      (1...32).contains(text.utf8.count)
      && text.utf8.first.map { $0 == UInt8(ascii: "_") || isLetterOrDigit($0) } == true
      && text.utf8.allSatisfy { isLetterOrDigit($0) || "-_.$".utf8.contains($0) }
    guard isNumber ? UInt32(text) != nil : isName else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a user, write it like tracker or 1000")
    }
    return text
  }

  /// A sentence for a person.
  static func sentence(_ text: String) throws(Wrong) -> String {
    let isText =
      (1...sentenceSizeMax).contains(text.utf8.count)
      && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    guard isText else {
      throw Wrong(
        text: "is not a sentence of at most \(sentenceSizeMax) bytes, write it like "
          + "Records the route of this vehicle.")
    }
    return text
  }

  /// Words of an enumeration, by blanks or commas.
  static func choices<Choice: RawRepresentable & CaseIterable & Equatable>(
    _ text: String
  ) throws(Wrong) -> [Choice] where Choice.RawValue == String {
    var choices: [Choice] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }) {
      let choice: Choice = try choice(String(word), besides: [])
      if !choices.contains(choice) { choices.append(choice) }
    }
    return choices
  }

  /// Command-line arguments: words separated by blanks; quotes, single or double, hold blanks together.
  static func commandWords(_ text: String) throws(Wrong) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch (scalar, quote) {
      case (let mark, let open?) where mark == open: quote = nil
      case ("\"", nil), ("'", nil):
        quote = scalar
        word = word ?? ""
      case (" ", nil), ("\t", nil):
        if let word { words.append(word) }
        word = nil
      default:
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
      }
    }
    if quote != nil {
      throw Wrong(text: "a quotation mark is open at the end, close it or take it out")
    }
    if let word { words.append(word) }
    return words
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// As much as a prompt shows.
  private static let sentenceSizeMax = 500
}
