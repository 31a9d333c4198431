import BinnacleBasics
import BinnacleModel
import Board
import Testing

/// Profiles of several files.
extension ProfileHardwareTests {
  // MARK: Drop-ins

  private func profile(of texts: String...) throws -> Profile {
    try Profile(
      parsing: texts.enumerated().map { index, text in
        SettingsFile(path: "\(index).conf", bytes: Array(text.utf8))
      })
  }

  @Test func aLaterFileOverridesAnEarlierFile() throws {
    let profile = try profile(
      of: "[Receiver]\nDevice=/dev/a\nRate=2\n", "[Receiver]\nDevice=/dev/b\n",
      "[Receiver]\nDevice=/dev/c\nRateMax=5\n")
    #expect(profile.receiver.device == .serial(path: "/dev/c"))
    #expect(profile.navigation.rateHz == 2)
    #expect(profile.navigation.rateMaxHz == 5)
  }

  @Test func aLaterFileRemovesParts() throws {
    let first =
      board + """
        [Accelerometer]
        Interrupt=GPIO17
        [Indicator]
        Line=GPIO23
        Sense=GPIO24
        [StatusLED]
        Line=GPIO25
        [Button HOME]
        Line=GPIO5
        [Button ALLOW]
        Line=GPIO6
        """
    let profile = try profile(
      of: first,
      """
      [Accelerometer]
      Interrupt=none
      [Indicator]
      Sense=none
      [StatusLED]
      Line=none
      [Button HOME]
      Line=none
      [Button ALLOW]
      Line=GPIO5
      """)
    #expect(profile.accelerometer == Profile.Accelerometer())
    #expect(profile.indicator == Profile.Indicator(line: "GPIO23"))
    #expect(profile.statusLED == nil)
    #expect(profile.buttons == [Profile.Button(name: "ALLOW", line: "GPIO5")])
    #expect(try self.profile(of: first, "[Accelerometer]\nChip=none\n").accelerometer == nil)
  }

  @Test func anAccelerometerTakenAwayStaysAwayUntilItsChipIsNamed() throws {
    let away = board + "[Accelerometer]\nChip=none\n"
    #expect(try profile(of: away, "[Accelerometer]\nRange=4\n").accelerometer == nil)
    #expect(
      try profile(of: away, "[Accelerometer]\nChip=adxl345\n").accelerometer?.chip == .adxl345)
  }

  @Test func anIndicatorIsALineOrAnLEDOfTheKernel() throws {
    let led = try profile("[Indicator]\nClass=green:status\n")
    #expect(led.indicator?.ledName == "green:status" && led.indicator?.line == "")
    #expect(try profile("[Indicator]\nClass=none\n").indicator == nil)
    let line = "[Board]\nGPIO=pinctrl-rp1\n[Indicator]\nLine=GPIO23\n"
    #expect(
      try profile(of: line, "[Indicator]\nLine=none\nClass=ACT\n").indicator?.ledName == "ACT")
    #expect(
      complaints(line, "[Indicator]\nClass=ACT\n") == [
        "1.conf:2: Class: the indicator is a line or an LED of the kernel, write Line=none or Class=none"
      ])
    #expect(
      complaints("[Indicator]\nSettling=1 s\n") == [
        "f.conf:1: [Indicator]: has no Line, give one such as Line=GPIO23"
      ])
    #expect(
      complaints("[Indicator]\nClass=ACT\nSense=GPIO25\n").first?.contains("needs a chip") == true)
  }

  @Test(arguments: ["../x", ".", "a b", ""])
  func aWrongNameOfAnLEDIsShown(name: String) {
    let found = complaints("[Indicator]\nClass=\(name)\n")
    #expect(found.first?.contains("is not the name of an LED") == true || name.isEmpty)
    #expect(!found.isEmpty)
  }

  @Test func theReadersOfADoorAreTakenWithTheirAccuracy() throws {
    let door = "[Door NMEA]\nSocket=nmea.sock\n"
    #expect(try profile(door).doors.first?.grants == [])
    #expect(try profile(door + "Grant=none\n").doors.first?.grants == [])
    #expect(
      try profile(door + "Grant=tty 1001 geoclue:reduced  all:reduced\n").doors.first?.grants == [
        .init(.terminal), .init(.user("1001")), .init(.user("geoclue"), isReduced: true),
        .init(.all, isReduced: true),
      ])
    #expect(try profile(of: door + "Grant=tty\n", door + "Grant=none\n").doors.first?.grants == [])
  }

  @Test(arguments: DoorKind.allCases)
  func eachDoorHasASectionOfItsOwn(kind: DoorKind) throws {
    let section = "[\(kind.section)]\n"
    let opened = try profile(section + "Terminal=place\nMode=0600\nGroup=dialout\nGrant=tty\n")
    var door = Profile.Door(kind)
    door.terminal = "place"
    door.mode = 0o600
    door.group = "dialout"
    door.grants = [.init(.terminal)]
    #expect(opened.doors == [door])
    #expect(opened.sections(differentFrom: Profile()) == [kind.section])
    #expect(try profile(section + "Socket=none\nGrant=all\n") == Profile())
  }

  @Test(arguments: [
    ("gpsd:exact", "'gpsd:exact' is not a reader"), ("a/b", "'a/b' is not a reader"),
    (":reduced", "':reduced' is not a reader"),
    ("tty tty:reduced", "'tty tty:reduced' names the reader of 'tty:reduced' twice"),
  ])
  func aWrongReaderOfADoorIsShown(grant: String, complaint: String) {
    let found = complaints("[Door NMEA]\nGrant=\(grant)\n")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("f.conf:2: Grant: \(complaint)") == true)
  }

  @Test func appsOfEveryKindCanBeRestricted() throws {
    let names = ["org.a.b", "door.nmea:1000", "door.nmea:tty", "1000:/usr/bin/a"]
    let restricted = "[Location]\nRestricted=\(names.joined(separator: " "))\n"
    #expect(try profile(restricted).consent.restricted == .apps(names))
  }

  @Test(arguments: ["door.nmea:ann", "01000:/bin/a", "1000:bin/a", "ann:/bin/a"])
  func aWrongNameOfARestrictedAppIsShown(name: String) {
    let found = complaints("[Location]\nRestricted=\(name)\n")
    #expect(found.first?.contains("'\(name)' is not an app's name") == true)
  }

  @Test func aButtonInTheSectionOfTimesIsReportedWithItsRightSection() {
    #expect(
      complaints("[Buttons]\nHOME=GPIO5\n") == [
        "f.conf:2: HOME: [Buttons] has no such key, it may be one of LongPress ShortMax DoubleWindow "
          + "(a button has a section of its own, [Button NAME])"
      ])
  }

  @Test func complaintsNameTheirFile() {
    #expect(
      complaints("[Receiver]\nRate=2\n", "\n[Receiver]\nRate=x\n", "[Nothing]\n") == [
        "1.conf:3: Rate: 'x' is not a whole number from 0 to 25 Hz",
        "2.conf:1: [Nothing]: there is no such section, it may be one of [Board] [Receiver] "
          + "[Accelerometer] [Motion] [Indicator] [StatusLED] [Buttons] [Location] [Apps] [Console] "
          + "[Clients] [Track] \(DoorKind.sections) [Button NAME]",
      ])
    #expect(
      complaints("[Receiver]\nRateMax=4\n", "[Receiver]\nRate=5\n") == [
        "1.conf:2: Rate: Rate (5 Hz) is above RateMax (4 Hz), lower the one or raise the other"
      ])
  }
}
