/// A section of a settings file and the keys that it has.
struct SettingsSection<Draft> {
  let name: String
  /// Other names that mean the same.
  var aliases: [String] = []
  let keys: [Key]
  /// The key of a name that no list can hold; nil when there is none.
  var otherKey: (String) -> Key? = { _ in nil }
  /// How such keys are suggested.
  var otherKeys: [String] = []

  /// A key: how it takes a value, or a description of the valid values.
  struct Key {
    let name: String
    /// Other names that mean the same.
    var aliases: [String] = []
    /// The value without the key, as a file would have it; empty when there is none.
    var usual = ""
    let take: (String, inout Draft) throws(SettingsValue.Wrong) -> Void
  }

  func key(named name: String) -> Key? {
    keys.first { $0.name == name || $0.aliases.contains(name) } ?? otherKey(name)
  }
}
