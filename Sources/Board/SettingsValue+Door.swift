/// The values of a door's section.
extension SettingsValue {
  /// A path from the root, or one name in the runtime directory; nil where it says `none`.
  static func place(_ text: String, example: String) throws(Wrong) -> String? {
    if text == "none" { return nil }
    let isName = !text.isEmpty && !text.contains("/") && text != "." && text != ".."
    guard isName || (text.hasPrefix("/") && !text.hasSuffix("/")) else {
      throw Wrong(
        text:
          "'\(SettingsText.shown(text))' is neither a path from the root nor a name, write it like "
          + "\(example) (in the runtime directory) or /run/binnacle/\(example), or none")
    }
    return text
  }

  /// Readers of a door, separated by blanks: `all`, `tty`, or a user, each with `:reduced` if wanted; `none` for no reader.
  static func grants(_ text: String) throws(Wrong) -> [Profile.Door.Grant] {
    if text == "none" { return [] }
    var grants: [Profile.Door.Grant] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
      let grant = try grant(String(word))
      if grants.contains(where: { $0.reader == grant.reader }) {
        throw Wrong(text: "'\(SettingsText.shown(text))' names the reader of '\(word)' twice")
      }
      grants.append(grant)
    }
    return grants
  }

  private static func grant(_ word: String) throws(Wrong) -> Profile.Door.Grant {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let isReduced = parts.count == 2
    do throws(Wrong) {
      if isReduced, parts[1] != "reduced" { throw Wrong(text: "") }
      switch parts[0] {
      case "all": return Profile.Door.Grant(.all, isReduced: isReduced)
      case "tty": return Profile.Door.Grant(.terminal, isReduced: isReduced)
      case let name:
        return Profile.Door.Grant(.user(try user(String(name))), isReduced: isReduced)
      }
    } catch {
      throw Wrong(
        text:
          "'\(SettingsText.shown(word))' is not a reader, write it like tty, gpsd, 1000 or all; "
          + "gpsd:reduced gets the approximate location; none: no reader")
    }
  }

  /// Permissions of a file in octal digits, for owner, group and others.
  static func fileMode(_ text: String) throws(Wrong) -> UInt32 {
    guard (3...4).contains(text.utf8.count), let mode = UInt32(text, radix: 8),
      mode & ~0o666 == 0, mode & 0o600 == 0o600
    else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not a mode from 0600 to 0666, write it like 0660")
    }
    return mode
  }

  /// The name or the number of a group.
  static func group(_ text: String) throws(Wrong) -> String {
    // useradd(8): a letter or underscore, then letters, digits, underscores and hyphens, at most 32.
    let isName =
      (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (97...122).contains($0) || (65...90).contains($0) || (48...57).contains($0) || $0 == 95
          || $0 == 45
      }
    guard isName, !text.hasPrefix("-") else {
      throw Wrong(
        text: "'\(SettingsText.shown(text))' is not the name of a group, write it like dialout")
    }
    return text
  }
}
