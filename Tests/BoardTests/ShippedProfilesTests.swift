import BinnaclePosix
import Board
import TestSupport
import Testing

struct ShippedProfilesTests {
  private static let directory = TestData.packageRoot + "/boards"

  private static var profiles: [String] {
    get throws { try Files.list(directory).filter { $0.hasSuffix(".conf") } }
  }

  @Test func everyBoardHasATableOfWires() throws {
    let others = ["desk.conf", "generic-usb.conf", "virtual.conf"]
    #expect(
      try ShippedProfilesTests.profiles.filter { !others.contains($0) }
        == Wiring.names.map { $0 + ".conf" })
  }

  @Test func everyProfileIsValidAndNamesItsBoard() throws {
    for name in try ShippedProfilesTests.profiles {
      let bytes = try Files.read(ShippedProfilesTests.directory + "/" + name)
      let profile = try Profile(parsing: bytes, file: name)
      // A desk has no receiver of its own, nor has a virtual board: the command line names one.
      let hasNone = ["desk.conf", "virtual.conf"].contains(name)
      #expect((profile.receiver.device == nil) == hasNone, "\(name)")
      #expect(bytes.starts(with: Array("# ".utf8)), "\(name) begins with what it is")
    }
  }

  @Test func theDeskListsEveryDriver() throws {
    let bytes = try Files.read(ShippedProfilesTests.directory + "/desk.conf")
    let text = String(decoding: bytes, as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.contains("Drivers: ") })
    let words = line.split(separator: " ").map(String.init)
    let listed = words.drop { $0 != "Drivers:" }.dropFirst()
    let drivers = Profile.Accelerometer.Chip.allCases.map(\.rawValue)
    #expect(["auto"] + listed == drivers)
  }

  /// `--board auto` finds one at most.
  @Test func noTwoProfilesKnowTheSameBoard() throws {
    var seen: [String] = []
    for name in try ShippedProfilesTests.profiles {
      let bytes = try Files.read(ShippedProfilesTests.directory + "/" + name)
      for string in try Profile(parsing: bytes, file: name).board.compatible {
        #expect(!seen.contains(string), "\(string)")
        seen.append(string)
      }
    }
    #expect(seen.count > 10)
  }

  /// The values written there are the defaults, and the sections and keys that are only shown exist.
  @Test func theDeskShowsAllKeysAndTheirDefaults() throws {
    let bytes = try Files.read(ShippedProfilesTests.directory + "/desk.conf")
    #expect(try Profile(parsing: bytes, file: "desk.conf") == Profile())
    let shown = try Profile(
      parsing: Array(ShippedProfilesTests.uncommented(bytes).utf8), file: "desk.conf")
    #expect(shown.receiver.device == .serial(path: "/dev/serial0"))
    #expect(shown.receiver.speed == 9_600)
    #expect(shown.accelerometer?.address == 0x18)
    #expect(shown.indicator == Profile.Indicator(line: "GPIO23"))
    #expect(shown.statusLED == Profile.StatusLED(line: "GPIO24"))
    #expect(shown.buttons == [Profile.Button(name: "HOME", line: "GPIO5")])
    #expect(shown.board.bus == .device(path: "/dev/i2c-1"))
  }

  /// The file with `#Key=` and `#[Section]` made real; the keys of a bus need another device.
  private static func uncommented(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      let isShown = line.hasPrefix("#") && !line.hasPrefix("# ")
      let isOfBus = line.hasPrefix("#Address=0x42") || line.hasPrefix("#TxReady=")
      return isShown && !isOfBus ? String(line.dropFirst()) : String(line)
    }.joined(separator: "\n")
  }

  @Test func theUSBProfileFindsUbloxOnly() throws {
    let bytes = try Files.read(ShippedProfilesTests.directory + "/generic-usb.conf")
    let profile = try Profile(parsing: bytes, file: "generic-usb.conf")
    #expect(
      profile.receiver.device == .serial(path: "/dev/serial/by-id/usb-u-blox_AG*"))
  }
}
