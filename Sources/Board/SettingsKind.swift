/// A kind of settings file: what it is called and which sections it has.
struct SettingsKind<Draft> {
  /// What people call such a file.
  let noun: String
  /// The section that stands in advice.
  let exampleSection: String
  /// All sections that have one name, in the order in which they are suggested.
  let sections: [SettingsSection<Draft>]
  /// How sections whose names vary are suggested.
  var others: [String] = []
  /// The section of a name that varies.
  var other: (String) -> SettingsSection<Draft>? = { _ in nil }
  /// What is said of a name that looks like one of those and is none.
  var adviceOnOther: (String) -> String? = { _ in nil }

  func section(named name: String) -> SettingsSection<Draft>? {
    other(name) ?? sections.first { $0.name == name }
  }
}
