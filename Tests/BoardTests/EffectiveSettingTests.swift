import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

@testable import Board

struct EffectiveSettingTests {
  private func file(_ path: String, _ text: String) -> SettingsFile {
    SettingsFile(path: path, bytes: Array(text.utf8))
  }

  @Test func aSettingHasTheValueOfTheLastFileWithItsLine() throws {
    let files = [
      file("a.conf", "[Location]\nPromptTimeout=30 s\nBackgroundGrace=5 s\n"),
      file("b.conf", "\n[Location]\nPromptTimeout=20 s\n"),
    ]
    let settings = Profile.effectiveSettings(of: files).filter { $0.section == "Location" }
    #expect(
      settings == [
        EffectiveSetting(
          section: "Location", key: "Restricted", value: "no", origin: .usual),
        EffectiveSetting(
          section: "Location", key: "PromptTimeout", value: "20 s",
          origin: .dropIn(file: "b.conf", line: 3)),
        EffectiveSetting(
          section: "Location", key: "BackgroundGrace", value: "5 s",
          origin: .profile(file: "a.conf", line: 3)),
      ])
  }

  @Test func aButtonHasSettingsIfAFileHasItsSection() throws {
    let none = Profile.effectiveSettings(of: [])
    #expect(!none.contains { $0.section.hasPrefix("Button ") })
    let home = Profile.effectiveSettings(of: [file("a.conf", "[Button HOME]\nLine=GPIO5\n")])
      .filter { $0.section == "Button HOME" }
    #expect(
      home.map(\.key) == ["Line", "ActiveLow", "Bias", "Debounce", "Short", "Long", "Double"])
    #expect(home.map(\.value) == ["GPIO5", "yes", "pull-up", "10 ms", "home", "quit", "none"])
  }

  /// The texts of the defaults and the defaults of the code are the same: a file with all of them changes nothing.
  @Test func theUsualValuesAreThoseOfTheCode() throws {
    var draft = ProfileDraft()
    for section in Profile.settings.sections {
      for key in section.keys where !key.usual.isEmpty { try key.take(key.usual, &draft) }
    }
    #expect(draft.finished(hasAccelerometerSection: false) == Profile())
    #expect(draft.accelerometer == ProfileDraft().accelerometer)
    #expect(draft.indicator == ProfileDraft().indicator)
    #expect(draft.statusLED == ProfileDraft().statusLED)
    for door in DoorKind.allCases { #expect(draft.doors[door] == Profile.Door(door)) }
    #expect(draft.track == ProfileDraft().track)
    for name in ["HOME", "ALLOW", "SERVICES", "MARK", "X"] {
      let section = try #require(Profile.settings.section(named: "Button \(name)"))
      var draft = ProfileDraft()
      for key in section.keys where !key.usual.isEmpty { try key.take(key.usual, &draft) }
      #expect(draft.buttons == [Profile.Button(name: name, line: "")])
    }
  }

  /// A key of desk.conf that is no comment has its default value there.
  @Test func theDeskProfileListsEveryKeyWithItsUsualValue() throws {
    let text = String(
      decoding: try Files.read(TestData.packageRoot + "/boards/desk.conf"), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    for setting in Profile.effectiveSettings(of: []) {
      let isListed = lines.contains {
        $0.hasPrefix("\(setting.key)=") || $0.hasPrefix("#\(setting.key)=")
      }
      #expect(isListed, "\(setting.section) \(setting.key)")
    }
    let read = Profile.effectiveSettings(of: [file("desk.conf", text)])
    for (setting, usual) in zip(read, Profile.effectiveSettings(of: [])) {
      #expect(setting.value == usual.value, "\(setting.section) \(setting.key)")
    }
  }
}
