import BinnacleModel
import Board
import Testing

struct AppManifestTests {
  private static let least = "[App]\nIdentifier=org.example.a\nExecutable=/usr/bin/a\nUser=anna\n"

  private func manifest(_ texts: String...) throws(SettingsError) -> AppManifest {
    try AppManifest(
      parsing: texts.enumerated().map { index, text in
        SettingsFile(path: index == 0 ? "a.app" : "\(index).conf", bytes: Array(text.utf8))
      })
  }

  /// The complaints about texts; empty when there are none.
  private func complaints(_ text: String) -> [String] {
    do {
      _ = try manifest(text)
      return []
    } catch {
      return error.description.split(separator: "\n").map { String($0) }
    }
  }

  @Test func everyKeyIsTaken() throws {
    let app = try manifest(
      """
      # The tracker
      [App]
      Identifier=org.example.tracker
      Executable=/usr/lib//tracker/tracker
      Arguments=--quiet "two words" 'and "more"' it''s
      User=tracker
      BackgroundModes=location
      WhenInUseUsageDescription=Records the route of this vehicle.
      AlwaysAndWhenInUseUsageDescription=Records the route also when nobody looks.
      TemporaryUsageDescription.delivery=Shows the customer the exact door.
      TemporaryUsageDescription.rescue=Tells the helicopter.
      RequireExplicitServiceSession=yes
      DefaultAccuracyReduced=yes
      """)
    #expect(app.identifier == "org.example.tracker")
    #expect(app.executable == "/usr/lib/tracker/tracker")
    #expect(app.arguments == ["--quiet", "two words", "and \"more\"", "its"])
    #expect(app.user == "tracker")
    #expect(app.backgroundModes == [.location])
    #expect(app.whenInUseUsageDescription == "Records the route of this vehicle.")
    #expect(app.alwaysAndWhenInUseUsageDescription == "Records the route also when nobody looks.")
    #expect(app.temporaryUsageDescriptions.map { $0.purpose } == ["delivery", "rescue"])
    #expect(app.temporaryUsageDescriptions.map { $0.text }.first?.hasSuffix("door.") == true)
    #expect(app.requiresExplicitServiceSession)
    #expect(app.isDefaultAccuracyReduced)
  }

  @Test func absentKeysHaveTheirDefaults() throws {
    let app = try manifest(AppManifestTests.least)
    #expect(app.arguments.isEmpty && app.backgroundModes.isEmpty)
    #expect(app.whenInUseUsageDescription == nil && app.alwaysAndWhenInUseUsageDescription == nil)
    #expect(app.temporaryUsageDescriptions.isEmpty)
    #expect(!app.requiresExplicitServiceSession && !app.isDefaultAccuracyReduced)
  }

  @Test func applesNamesMeanTheSame() throws {
    let ours = try manifest(
      AppManifestTests.least
        + """
        BackgroundModes=location
        WhenInUseUsageDescription=a
        AlwaysAndWhenInUseUsageDescription=b
        TemporaryUsageDescription.c=d
        RequireExplicitServiceSession=yes
        DefaultAccuracyReduced=yes
        """)
    for session in ["NSLocationRequireExplicitServiceSession", "CLRequireExplicitServiceSession"] {
      let apples = try manifest(
        """
        [App]
        CFBundleIdentifier=org.example.a
        CFBundleExecutable=/usr/bin/a
        User=anna
        UIBackgroundModes=location
        NSLocationWhenInUseUsageDescription=a
        NSLocationAlwaysAndWhenInUseUsageDescription=b
        NSLocationTemporaryUsageDescriptionDictionary.c=d
        \(session)=yes
        NSLocationDefaultAccuracyReduced=yes
        """)
      #expect(apples == ours)
    }
  }

  @Test func aKeyAndItsAliasAreOneKey() {
    #expect(
      complaints(AppManifestTests.least + "CFBundleIdentifier=org.example.b\n") == [
        "a.app:5: CFBundleIdentifier: was set in line 2 already, keep one of the two"
      ])
  }

  @Test func aDropInWins() throws {
    let app = try manifest(
      AppManifestTests.least + "TemporaryUsageDescription.c=d\n",
      "[App]\nUser=bert\nNSLocationTemporaryUsageDescriptionDictionary.c=e\n")
    #expect(app.user == "bert")
    #expect(app.temporaryUsageDescriptions.map { $0.text } == ["e"])
  }

  @Test func everyMistakeIsReportedWithTheValidValues() {
    let said = complaints(
      """
      [App]
      Identifier=tracker
      Executable=tracker
      Arguments=--name "x
      User=a b
      BackgroundModes=location, fetch
      WhenInUseUsageDescription=
      TemporaryUsageDescription.=x
      RequireExplicitServiceSession=maybe
      DefaultAcuracyReduced=no
      [Apps]
      """)
    #expect(
      said == [
        "a.app:2: Identifier: 'tracker' is not an app's name, write it like org.example.tracker "
          + "(letters, digits, hyphens, a dot at least, 100 at most)",
        "a.app:3: Executable: 'tracker' is not a program's path from the root, write it like "
          + "/usr/bin/tracker",
        "a.app:4: Arguments: a quotation mark is open at the end, close it or take it out",
        "a.app:5: User: 'a b' is not a user, write it like tracker or 1000",
        "a.app:6: BackgroundModes: 'fetch' is not one of location",
        "a.app:7: WhenInUseUsageDescription: is not a sentence of at most 500 bytes, write it like "
          + "Records the route of this vehicle.",
        "a.app:8: TemporaryUsageDescription.: [App] has no such key, it may be one of Identifier "
          + "Executable Arguments User Script WhenInUseUsageDescription AlwaysAndWhenInUseUsageDescription "
          + "BackgroundModes RequireExplicitServiceSession DefaultAccuracyReduced "
          + "TemporaryUsageDescription.PURPOSE",
        "a.app:9: RequireExplicitServiceSession: 'maybe' is neither yes nor no",
        "a.app:10: DefaultAcuracyReduced: [App] has no such key, did you mean "
          + "DefaultAccuracyReduced?",
        "a.app:11: [Apps]: there is no such section, did you mean [App]?",
      ])
  }

  @Test func noManifestHasATextForTheUnknownPurpose() {
    let key = "TemporaryUsageDescription.\(AppSession.unknownPurpose)"
    #expect(
      complaints(AppManifestTests.least + "\(key)=x\n").first?.contains("no such key") == true)
  }

  @Test func missingRequiredKeysAreReported() {
    #expect(
      complaints("# nothing\n") == [
        "a.app (the whole file): [App]: has no Identifier, give the app's name, such as "
          + "Identifier=org.example.tracker",
        "a.app (the whole file): [App]: has no Executable, give the program, such as Executable=/usr/bin/tracker",
        "a.app (the whole file): [App]: has no User, give the user that the program runs as, such as User=tracker",
      ])
    #expect(complaints("\n[App]\nIdentifier=a.b\nUser=7\n").map { $0.prefix(8) } == ["a.app:2:"])
    #expect(
      complaints("Identifier=a.b\n[App]\n").first
        == "a.app:1: Identifier: stands before any section, put it below a line such as [App]")
  }

  @Test func oneAppHasOneManifest() {
    var shelf = AppShelf()
    let other = "[App]\nIdentifier=org.example.b\nExecutable=/usr/bin/a\nUser=anna\n"
    let third = "[App]\nIdentifier=org.example.b\nExecutable=/usr/bin/a\nUser=bert\n"
    for (name, text) in [
      ("a", AppManifestTests.least), ("b", AppManifestTests.least), ("c", other), ("d", third),
      ("e", "x"),
    ] {
      shelf.take([SettingsFile(path: name, bytes: Array(text.utf8))])
    }
    #expect(shelf.apps.map { $0.user } == ["anna", "bert"])
    #expect(
      shelf.complaints.map { "\($0)" } == [
        "b (the whole file): Identifier: org.example.a is the app of a already, take another name",
        "c (the whole file): Executable: /usr/bin/a of user anna is the app of a already, take out one of the two",
        "e:1: 'x' is not an assignment, one looks like Key=Value",
      ])
  }
}
