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
