/// A setting of the board: its value, and where the value comes from.
public struct EffectiveSetting: Equatable, Sendable {
  /// The section, such as `Location`.
  public var section: String
  public var key: String
  /// The value as a file has it; empty: there is none.
  public var value: String
  public var origin: Origin

  /// The source of a value.
  public enum Origin: Equatable, Sendable {
    /// No file has the key.
    case usual
    /// The profile, and the line of the key.
    case profile(file: String, line: Int)
    /// A drop-in of the profile.
    case dropIn(file: String, line: Int)
    /// An option of the command line.
    case commandLine
  }

  public init(section: String, key: String, value: String, origin: Origin) {
    self.section = section
    self.key = key
    self.value = value
    self.origin = origin
  }
}

extension Profile {
  /// All settings in the order of `boards/desk.conf`.
  ///
  /// A button has its settings only if a file has its section.
  ///
  /// - Parameter files: the profile, then its drop-ins; files without mistakes.
  /// - Returns: a setting for each key.
  public static func effectiveSettings(of files: [SettingsFile]) -> [EffectiveSetting] {
    var reading = SettingsReading(Profile.settings, into: ProfileDraft())
    for file in files { reading.take(file) }
    var names = Profile.settings.sections.map(\.name)
    for section in reading.sections where !names.contains(section.name) {
      names.append(section.name)
    }
    return names.flatMap { name -> [EffectiveSetting] in
      guard let section = Profile.settings.section(named: name) else { return [] }
      return section.keys.map { key in
        let taken = reading.taken.last { $0.isOf(name, key.name) }
        let origin = taken.map { taken -> EffectiveSetting.Origin in
          let place = taken.place
          return place.file == files.first?.path
            ? .profile(file: place.file, line: place.line)
            : .dropIn(file: place.file, line: place.line)
        }
        return EffectiveSetting(
          section: name, key: key.name, value: taken?.value ?? key.usual, origin: origin ?? .usual)
      }
    }
  }
}
