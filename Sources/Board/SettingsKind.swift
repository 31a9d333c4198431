/// A kind of settings file: its name in messages and its sections.
struct SettingsKind<Draft> {
  /// The name of such a file in messages.
  let noun: String
  /// The section that stands in advice.
  let exampleSection: String
  /// All sections that have one name, in the order in which they are suggested.
  let sections: [SettingsSection<Draft>]
  /// How sections whose names vary are suggested.
  var others: [String] = []
  /// The section of a name that varies.
  var other: (String) -> SettingsSection<Draft>? = { _ in nil }
  /// The advice for a name that resembles a section whose name varies, and is not valid.
  var adviceOnOther: (String) -> String? = { _ in nil }

  func section(named name: String) -> SettingsSection<Draft>? {
    other(name) ?? sections.first { $0.name == name || $0.aliases.contains(name) }
  }
}
