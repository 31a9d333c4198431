import Board
import Posix
import TestSupport
import Testing

struct ShippedProfilesTests {
  private static let directory = TestData.packageRoot + "/boards"

  @Test func theseAreShipped() throws {
    #expect(
      try Files.list(ShippedProfilesTests.directory) == [
        "desk.conf", "generic-usb.conf", "raspberry-pi-3.conf", "raspberry-pi-4.conf",
        "raspberry-pi-5.conf", "raspberry-pi-zero-2-w.conf",
      ])
  }

  @Test func everyOneIsRightAndSaysWhatItIsFor() throws {
    for name in try Files.list(ShippedProfilesTests.directory) {
      let bytes = try Files.read(ShippedProfilesTests.directory + "/" + name)
      let profile = try Profile(parsing: bytes, file: name)
      #expect(profile.receiver.device == nil ? name == "desk.conf" : name != "desk.conf")
      #expect(bytes.starts(with: Array("# ".utf8)), "\(name) begins with what it is")
    }
  }

  /// The values written there are the defaults, and the keys that are only shown exist.
  @Test func theDeskShowsAllKeysAndTheirDefaults() throws {
    let bytes = try Files.read(ShippedProfilesTests.directory + "/desk.conf")
    #expect(try Profile(parsing: bytes, file: "desk.conf") == Profile())
    var text = String(decoding: bytes, as: UTF8.self)
    for key in ["Device=", "Speed="] {
      #expect(text.contains("#" + key))
      text = text.split(separator: "#" + key).joined(separator: key)
    }
    let shown = try Profile(parsing: Array(text.utf8), file: "desk.conf")
    #expect(shown.receiver.device == .serial(path: "/dev/serial0"))
    #expect(shown.receiver.speed == 9_600)
  }

  @Test func theUSBProfileFindsUbloxOnly() throws {
    let bytes = try Files.read(ShippedProfilesTests.directory + "/generic-usb.conf")
    let profile = try Profile(parsing: bytes, file: "generic-usb.conf")
    #expect(
      profile.receiver.device == .serial(path: "/dev/serial/by-id/usb-u-blox_AG*"))
  }
}
