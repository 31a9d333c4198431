public import BinnacleModel

/// The description of an app for the daemon: the file `apps.d/NAME.app`.
///
/// A key that is not in the file has the default value of its property here. Each key also has the name of Apple's
/// Information Property List, in parentheses.
public struct AppManifest: Equatable, Sendable {
  /// `Identifier` (`CFBundleIdentifier`): the app's name, independent of the path; at most ``identifierSizeMax`` bytes.
  public var identifier: String
  /// `Executable` (`CFBundleExecutable`): the absolute path of the program.
  public var executable: String
  /// `Arguments`: the arguments of the program.
  public var arguments: [String] = []
  /// `User`: the user that the program runs as, by name or by number.
  public var user: String
  /// `Script`: whether each program of the user may be the app, such as a script that runs `binnacle watch --app`.
  public var isScript = false
  /// `BackgroundModes` (`UIBackgroundModes`): the work of the app in the background.
  public var backgroundModes: [BackgroundMode] = []
  /// `WhenInUseUsageDescription` (`NSLocationWhenInUseUsageDescription`): the reason that a person reads for use in the foreground.
  public var whenInUseUsageDescription: String?
  /// `AlwaysAndWhenInUseUsageDescription` (`NSLocationAlwaysAndWhenInUseUsageDescription`): the reason for use at any time.
  public var alwaysAndWhenInUseUsageDescription: String?
  /// `TemporaryUsageDescription.PURPOSE` (`NSLocationTemporaryUsageDescriptionDictionary.PURPOSE`): the reason
  /// for full accuracy for a limited time.
  public var temporaryUsageDescriptions: [TemporaryUsageDescription] = []
  /// `RequireExplicitServiceSession` (`NSLocationRequireExplicitServiceSession`, `CLRequireExplicitServiceSession`):
  /// the app gets no updates without a service session.
  public var requiresExplicitServiceSession = false
  /// `DefaultAccuracyReduced` (`NSLocationDefaultAccuracyReduced`): the first grant has reduced accuracy.
  public var isDefaultAccuracyReduced = false

  /// The longest identifier, in bytes: identifier and key of a default together fit into the name of a record.
  public static let identifierSizeMax = 100

  /// Work that an app does in the background.
  public enum BackgroundMode: String, CaseIterable, Sendable {
    case location
  }

  /// The reason for which an app requests full accuracy for a limited time.
  public struct TemporaryUsageDescription: Equatable, Sendable {
    /// The purpose key of the app's request.
    public var purpose: String
    public var text: String
  }

  /// The part of the manifest that decides about the rights of the app.
  public var declaration: AppDeclaration {
    AppDeclaration(
      identifier: identifier, hasBackgroundLocation: backgroundModes.contains(.location),
      whenInUseText: whenInUseUsageDescription, alwaysText: alwaysAndWhenInUseUsageDescription,
      temporaryTexts: temporaryUsageDescriptions.map { .init(purpose: $0.purpose, text: $0.text) },
      needsServiceSession: requiresExplicitServiceSession,
      isAccuracyReduced: isDefaultAccuracyReduced, executable: executable)
  }

  /// Reads a manifest and its drop-ins.
  ///
  /// - Parameter files: the manifest, then its drop-ins; a later file overrides earlier ones.
  /// - Throws: all mistakes in the files.
  public init(parsing files: [SettingsFile]) throws(SettingsError) {
    var reading = SettingsReading(
      AppManifest.settings, into: AppManifest(identifier: "", executable: "", user: ""))
    for file in files { reading.take(file) }
    var complaints = reading.complaints
    if complaints.isEmpty, let first = files.first {
      complaints = AppManifest.missing(
        reading.taken, section: reading.sections.first?.place, file: first.path)
    }
    if !complaints.isEmpty { throw SettingsError(complaints: complaints) }
    self = reading.draft
  }

  private init(identifier: String, executable: String, user: String) {
    self.identifier = identifier
    self.executable = executable
    self.user = user
  }

  /// The required keys that a manifest lacks.
  private static func missing(
    _ taken: [SettingsText.Assignment], section: SettingsText.Place?, file: String
  ) -> [SettingsError.Complaint] {
    let wanted = [
      ("Identifier", "give the app's name, such as Identifier=org.example.tracker"),
      ("Executable", "give the program, such as Executable=/usr/bin/tracker"),
      ("User", "give the user that the program runs as, such as User=tracker"),
    ]
    return wanted.filter { key, _ in !taken.contains { $0.isOf("App", key) } }
      .map { key, advice in
        .init(
          file: section?.file ?? file, line: section?.line, key: "[App]",
          text: "has no \(key), \(advice)")
      }
  }
}
