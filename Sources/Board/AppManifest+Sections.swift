/// The section of a manifest and its keys.
extension AppManifest {
  typealias Section = SettingsSection<AppManifest>
  typealias Key = Section.Key
  typealias Wrong = SettingsValue.Wrong

  static var settings: SettingsKind<AppManifest> {
    SettingsKind(noun: "manifest", exampleSection: "App", sections: [app])
  }

  private static var app: Section {
    Section(
      name: "App", keys: program + usageTexts + behavior, otherKey: temporaryUsageDescription,
      otherKeys: ["TemporaryUsageDescription.PURPOSE"])
  }

  private static var program: [Key] {
    [
      Key(name: "Identifier", aliases: ["CFBundleIdentifier"]) { (text, app) throws(Wrong) in
        app.identifier = try SettingsValue.appIdentifier(text)
      },
      Key(name: "Executable", aliases: ["CFBundleExecutable"]) { (text, app) throws(Wrong) in
        app.executable = try SettingsValue.program(text)
      },
      Key(name: "Arguments") { (text, app) throws(Wrong) in
        app.arguments = try SettingsValue.commandWords(text)
      },
      Key(name: "User") { (text, app) throws(Wrong) in
        app.user = try SettingsValue.user(text)
      },
      Key(name: "Script") { (text, app) throws(Wrong) in
        app.isScript = try SettingsValue.yesOrNo(text)
      },
    ]
  }

  private static var usageTexts: [Key] {
    [
      Key(
        name: "WhenInUseUsageDescription", aliases: ["NSLocationWhenInUseUsageDescription"]
      ) { (text, app) throws(Wrong) in
        app.whenInUseUsageDescription = try SettingsValue.sentence(text)
      },
      Key(
        name: "AlwaysAndWhenInUseUsageDescription",
        aliases: ["NSLocationAlwaysAndWhenInUseUsageDescription"]
      ) { (text, app) throws(Wrong) in
        app.alwaysAndWhenInUseUsageDescription = try SettingsValue.sentence(text)
      },
    ]
  }

  private static var behavior: [Key] {
    [
      Key(name: "BackgroundModes", aliases: ["UIBackgroundModes"]) { (text, app) throws(Wrong) in
        app.backgroundModes = try SettingsValue.choices(text)
      },
      Key(
        name: "RequireExplicitServiceSession",
        aliases: ["NSLocationRequireExplicitServiceSession", "CLRequireExplicitServiceSession"]
      ) { (text, app) throws(Wrong) in
        app.requiresExplicitServiceSession = try SettingsValue.yesOrNo(text)
      },
      Key(
        name: "DefaultAccuracyReduced", aliases: ["NSLocationDefaultAccuracyReduced"]
      ) { (text, app) throws(Wrong) in
        app.isDefaultAccuracyReduced = try SettingsValue.yesOrNo(text)
      },
    ]
  }

  /// The key of one purpose: its name holds the purpose.
  private static func temporaryUsageDescription(_ name: String) -> Key? {
    let prefixes = [
      "TemporaryUsageDescription.", "NSLocationTemporaryUsageDescriptionDictionary.",
    ]
    guard let prefix = prefixes.first(where: { name.hasPrefix($0) }) else { return nil }
    let purpose = String(name.dropFirst(prefix.count))
    guard isPurpose(purpose) else { return nil }
    return Key(name: prefixes[0] + purpose) { (text, app) throws(Wrong) in
      let text = try SettingsValue.sentence(text)
      app.temporaryUsageDescriptions.removeAll { $0.purpose == purpose }
      app.temporaryUsageDescriptions.append(.init(purpose: purpose, text: text))
    }
  }

  private static func isPurpose(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { SettingsValue.isLetterOrDigit($0) || "-._".utf8.contains($0) }
  }
}
