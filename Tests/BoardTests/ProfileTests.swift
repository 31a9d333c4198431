import BinnacleBasics
import BinnacleModel
import Board
import Testing

struct ProfileTests {
  private func profile(_ text: String) throws -> Profile {
    try Profile(parsing: Array(text.utf8), file: "f.conf")
  }

  /// The complaints about a text; empty when there are none.
  private func complaints(_ text: String) -> [String] {
    complaints(bytes: Array(text.utf8))
  }

  private func complaints(bytes: [UInt8]) -> [String] {
    do {
      _ = try Profile(parsing: bytes, file: "f.conf")
      return []
    } catch {
      return error.description.split(separator: "\n").map { String($0) }
    }
  }

  @Test func everyKeyIsTaken() throws {
    let profile = try profile(
      """
      # A comment
      ; another one

      [Board]
      ClockWithin=250 ms
      State=/dev/mmcblk0p3
      [Receiver]
        Device = /dev/serial/by-id/a b
      Speed=38400 baud
      Rate=5 Hz
      RateMax=8
      UnavailableAfter=1500 ms
      [Clients]
      ClientsMax=3
      ClientsPerUserMax=2
      SequencesMax=1
      [Motion]
      Profile=quiet
      DwellDefault=90 s
      DwellFitness=30 s
      DwellAutomotive=4 min
      DwellOther=10 min
      DwellAirborne=1 h
      """)
    var expected = Profile()
    expected.board.clockWithin = .milliseconds(250)
    expected.board.state = "/dev/mmcblk0p3"
    expected.receiver.device = .serial(path: "/dev/serial/by-id/a b")
    expected.receiver.speed = 38_400
    expected.navigation.rateHz = 5
    expected.navigation.rateMaxHz = 8
    expected.navigation.unavailableAfter = .milliseconds(1_500)
    expected.clients.clientsMax = 3
    expected.clients.clientsPerUserMax = 2
    expected.clients.sequencesMax = 1
    expected.motion.readiness = .quiet
    expected.motion.dwells.default = .seconds(90)
    expected.motion.dwells.fitness = .seconds(30)
    expected.motion.dwells.automotiveNavigation = .seconds(240)
    expected.motion.dwells.otherNavigation = .seconds(600)
    expected.motion.dwells.airborne = .seconds(3_600)
    #expect(profile == expected)
  }

  @Test func anEmptyFileIsTheDefaults() throws {
    #expect(try profile("") == Profile())
    #expect(try profile("\n\n[Receiver]\n[Receiver]\n") == Profile())
  }

  @Test func filesOfWindowsAreRead() throws {
    let text = "\u{FEFF}[Receiver]\r\nDevice=/dev/ttyS1\r\n\r\nRate=2\r\n"
    let profile = try profile(text)
    #expect(profile.receiver.device == .serial(path: "/dev/ttyS1"))
    #expect(profile.navigation.rateHz == 2)
  }

  @Test(arguments: [
    ("5", 5_000), ("5 s", 5_000), ("5s", 5_000), ("1500 ms", 1_500), ("2 min", 120_000),
    ("1 h", 3_600_000), ("1.5 s", 1_500), ("0.025 min", 1_500), ("1.001", 1_001),
  ])
  func lengthsOfTimeHaveUnits(text: String, milliseconds: Int64) throws {
    let profile = try profile("[Receiver]\nUnavailableAfter=\(text)")
    #expect(profile.navigation.unavailableAfter == .milliseconds(milliseconds))
  }

  @Test(arguments: [
    "", "s", "5 m", "5 sec", "-5 s", "+5", "5,0 s", "1e3", "5..0", ".5 h", "5. s", "0x5", "five",
    "٥ s",
    "99999999999999999999", "9.9999999999 s",
  ])
  func aValueThatIsNoDurationIsRefused(text: String) {
    #expect(
      complaints("[Receiver]\nUnavailableAfter=\(text)") == [
        "f.conf:2: UnavailableAfter: '\(text)' is not a length of time, write it like 5 s "
          + "(units: ms s min h)"
      ])
  }

  @Test(arguments: ["999 ms", "0", "3601", "2 h", "99999 h"])
  func lengthsOfTimeHaveARange(text: String) {
    #expect(
      complaints("[Receiver]\nUnavailableAfter=\(text)") == [
        "f.conf:2: UnavailableAfter: '\(text)' is out of range, 1 s to 3600 s is right"
      ])
  }

  @Test(arguments: [
    ("Rate=26", "Rate: '26' is not a whole number from 0 to 25 Hz"),
    ("Rate=-1", "Rate: '-1' is not a whole number from 0 to 25 Hz"),
    ("RateMax=0 Hz", "RateMax: '0 Hz' is not a whole number from 1 to 25 Hz"),
    ("RateMax=5 kHz", "RateMax: '5 kHz' is not a whole number from 1 to 25 Hz"),
    ("Speed=fast", "Speed: 'fast' is not a whole number from 4800 to 921600 baud"),
    (
      "Speed=99999999999999999999",
      "Speed: '99999999999999999999' is not a whole number from 4800 to 921600 baud"
    ),
    ("Device=serial0", "Device: 'serial0' is not a path from the root, write it like /dev/serial0"),
    ("Device=", "Device: has no value, give a path such as /dev/serial0 or take the line out"),
    ("Devise=/dev/x", "Devise: [Receiver] has no such key, did you mean Device?"),
    ("rate=1", "rate: [Receiver] has no such key, did you mean Rate?"),
    (
      "Altitude=1",
      "Altitude: [Receiver] has no such key, it may be one of Device Address TxReady ExtInt Speed Rate RateMax UnavailableAfter Sleep RestBeforeSleep SearchBudget"
    ),
    ("Device", "'Device' is not an assignment, one looks like Key=Value"),
    ("=5", "has no key before '=', one looks like Key=Value"),
    ("[", "'[' is not a section, one looks like [Receiver]"),
    ("[Receiver", "'[Receiver' is not a section, one looks like [Receiver]"),
    ("[]", "'[]' is not a section, one looks like [Receiver]"),
  ])
  func mistakesAreReportedWithTheirLine(line: String, complaint: String) {
    for linesBefore in [0, 1, 7] {
      let text = String(repeating: "\n", count: linesBefore) + "[Receiver]\n" + line + "\n"
      #expect(complaints(text) == ["f.conf:\(linesBefore + 2): \(complaint)"])
    }
  }

  @Test func aKeyNeedsASection() {
    #expect(
      complaints("Rate=5\n[Receiver]\n") == [
        "f.conf:1: Rate: stands before any section, put it below a line such as [Receiver]"
      ])
  }

  @Test func tracksAreOffUnlessTheProfileStatesHow() throws {
    #expect(try profile("[Receiver]\n").track == nil)
    #expect(try profile("[Track]\nTrack=off\nDays=3\n").track == nil)
    let track = try #require(
      try profile("[Track]\nTrack=reduced\nPeriod=500 ms\nDays=30 days\n").track)
    #expect(track.accuracy == .reduced)
    #expect(track.period == .milliseconds(500))
    #expect(track.daysKept == 30)
    let full = try #require(try profile("[Track]\nTrack=full\n").track)
    #expect(full.accuracy == .full && full.period == .seconds(1) && full.daysKept == 7)
    #expect(
      complaints("[Track]\nTrack=exact\nPeriod=1 ms\nDays=0\n") == [
        "f.conf:2: Track: 'exact' is not one of full reduced off",
        "f.conf:3: Period: '1 ms' is out of range, 100 ms to 3600 s is right",
        "f.conf:4: Days: '0' is not a whole number from 1 to 3650 days",
      ])
    #expect(
      complaints("[Board]\nName=x\n[Track]\nDays=9\n") == [
        "f.conf:3: [Track]: has no Track, give Track=full, reduced or off"
      ])
  }

  @Test func aDropInTurnsTracksOff() throws {
    let files = ["[Track]\nTrack=full\nDays=9\n", "[Track]\nTrack=off\n"]
    let profile = try Profile(
      parsing: files.enumerated().map {
        SettingsFile(path: "\($0.offset).conf", bytes: Array($0.element.utf8))
      })
    #expect(profile.track == nil)
  }

  @Test func anUnknownSectionIsReportedOnce() {
    #expect(
      complaints("[Reciever]\nRate=5\nSpeed=9600\n[Gyroscope]\nBus=1\n[Gyroscope]\n") == [
        "f.conf:1: [Reciever]: there is no such section, did you mean [Receiver]?",
        "f.conf:4: [Gyroscope]: there is no such section, it may be one of [Board] [Receiver] "
          + "[Accelerometer] [Motion] [Indicator] [StatusLED] [Buttons] [Location] [Apps] [Console] "
          + "[Clients] [Track] \(DoorKind.sections) [Button NAME]",
      ])
  }

  @Test func anUnknownSectionWithoutKeysIsReported() {
    #expect(
      complaints("[Receiver]\n[Client]\n\n") == [
        "f.conf:2: [Client]: there is no such section, did you mean [Clients]?"
      ])
  }

  @Test func aKeyIsSetOnce() {
    #expect(
      complaints("[Receiver]\nRate=5\n[Clients]\n[Receiver]\nRate=5\nRate=6") == [
        "f.conf:5: Rate: was set in line 2 already, keep one of the two",
        "f.conf:6: Rate: was set in line 2 already, keep one of the two",
      ])
  }

  @Test func aSectionAndItsAliasAreOneSection() throws {
    let line = "[Board]\nGPIO=pinctrl-rp1\n"
    let former = try profile("\(line)[IndicatorLED]\nClass=ACT\n[Clients]\nPerUserMax=9\n")
    let own = try profile("\(line)[Indicator]\nClass=ACT\n[Clients]\nClientsPerUserMax=9\n")
    #expect(former == own)
    #expect(former.indicator?.ledName == "ACT")
    #expect(
      complaints("\(line)[Indicator]\nClass=ACT\n[IndicatorLED]\nClass=PWR\n") == [
        "f.conf:6: Class: was set in line 4 already, keep one of the two"
      ])
    #expect(
      complaints("\(line)[IndicatorLED]\nSettling=1 s\n") == [
        "f.conf:3: [Indicator]: has no Line, give one such as Line=GPIO23"
      ])
  }

  @Test func theRateIsNotAboveItsLimit() {
    #expect(
      complaints("[Receiver]\nRate=9\nRateMax=5") == [
        "f.conf:3: RateMax: Rate (9 Hz) is above RateMax (5 Hz), lower the one or raise the other"
      ])
    #expect(
      complaints("[Receiver]\nRate=11") == [
        "f.conf:2: Rate: Rate (11 Hz) is above RateMax (10 Hz), lower the one or raise the other"
      ])
  }

  @Test func allMistakesAreReportedInOrder() {
    let lines = complaints("Rate=1\n[Receiver]\nSpeed=1\n\u{0}\nRate=x\n")
    #expect(lines.map { $0.prefix(9) } == ["f.conf:1:", "f.conf:3:", "f.conf:4:", "f.conf:5:"])
  }

  @Test func damagedLinesAreNamed() {
    let long = [UInt8](repeating: 0x61, count: 1_025)
    #expect(
      complaints(bytes: [0x0A] + long) == [
        "f.conf:2: is longer than 1024 bytes, break it up or take it out"
      ])
    #expect(
      complaints(bytes: [0x0A, 0x0A, 0x61, 0x00]) == [
        "f.conf:3: holds a zero byte, a profile is plain text"
      ])
    #expect(
      complaints(bytes: [0x23, 0xC3, 0x28]) == [
        "f.conf:1: is not UTF-8 text, save the file as UTF-8"
      ])
    #expect(
      complaints(bytes: [UInt8](repeating: 0x0A, count: 65_537)) == [
        "f.conf (the whole file): is longer than 65536 bytes, too long for a profile"
      ])
  }

  /// One complaint, and none about the lines of a file that has none.
  @Test func aFileThatIsNotTextIsRefusedAsAWhole() {
    let utf16 = Array("[Board]\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(
      complaints(bytes: [0xFF, 0xFE] + utf16) == [
        "f.conf (the whole file): is UTF-16 text, save the file as UTF-8"
      ])
    let program =
      [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9) + [3, 0, 10, 1]
    #expect(
      complaints(bytes: program) == [
        "f.conf (the whole file): is no text, a profile is plain text in UTF-8"
      ])
  }

  @Test func messagesMoveNoCursor() {
    let lines = complaints(
      "[Receiver]\nRate=\u{1B}[2J\u{9B}x\nDevice=" + String(repeating: "x", count: 500))
    #expect(lines.first == "f.conf:2: Rate: '?[2J?x' is not a whole number from 0 to 25 Hz")
    #expect(lines.last.map { $0.count < 200 } == true)
  }

  @Test func manyComplaintsAreCutOff() {
    let text = "[Receiver]\n" + String(repeating: "Bad\n", count: 1_000)
    #expect(complaints(text).count == 20)
  }

  /// Any bytes give a profile or complaints, and no trap.
  @Test func randomBytesNeverTrap() {
    var random = Random(seed: 7)
    let valid = Array("[Receiver]\r\nDevice=/dev/x\nSpeed=9600 baud\nUnavailableAfter=1.5 s\n".utf8)
    for round in 0..<2_000 {
      var bytes = valid
      if round % 2 == 0 {
        bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
      for _ in 0..<Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      for line in complaints(bytes: bytes) {
        #expect(line.hasPrefix("f.conf:"))
      }
    }
  }
}
