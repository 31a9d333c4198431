import BinnaclePosix
import Board
import TestSupport
import Testing

@testable import Diagnosis

struct RaspberryPiTests {
  /// The settings in the profiles' comments are the settings that the doctor requires.
  @Test func theCommentsOfTheProfilesHaveTheSameLines() throws {
    var count = 0
    let directory = TestData.packageRoot + "/boards"
    for name in try Files.list(directory) where name.hasPrefix("raspberry-pi") {
      let bytes = try Files.read(directory + "/" + name)
      let head = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
        $0.hasPrefix("#")
      }
      let profile = try Profile(parsing: bytes, file: name)
      for compatible in profile.board.compatible {
        let model = try #require(RaspberryPi(compatible: [compatible]), "\(compatible)")
        for requirement in model.headerUART + model.headerBus {
          let isTold = head.contains {
            $0.split(separator: " ").contains { $0 == requirement.line }
          }
          #expect(isTold, "\(name) does not tell of \(requirement.line)")
          count += 1
        }
      }
    }
    #expect(count >= 20)
  }

  /// The kernel's device tree of revision 1.2, with the processor of the model 3, has a name of its own.
  @Test(arguments: ["2-model-b", "2-model-b-rev2"])
  func bothRevisionsOfTheModel2AreKnown(name: String) throws {
    let model = try #require(RaspberryPi(compatible: ["raspberrypi,\(name)"]))
    #expect(model.serial == .plain && model.filters == ["pi2"])
  }

  @Test(arguments: [
    ("dtparam=i2c_arm=on,spi=on", 2, "on"), ("dtparam=i2c_arm", 1, "on"),
    ("dtparam=i2c_arm=off", 1, "off"), ("dtoverlay=disable-bt,x=1", 1, "on"),
    ("enable_uart=1 # for the receiver", 1, "1"), ("no setting", 0, ""),
  ])
  func aLineIsTakenApartAsTheFirmwareDoes(line: String, count: Int, value: String) {
    let settings = BootSetting.all(in: line)
    #expect(settings.count == count)
    #expect((settings.first?.value ?? "") == value)
  }

  @Test(arguments: [
    (["pi4"], BootConfiguration.Effect.counts), (["pi5"], .heldBack(filter: "pi5")),
    (["pi3", "pi4"], .counts), (["none", "pi4"], .heldBack(filter: "none")),
    (["none", "all"], .counts), (["gpio4=1", "pi4"], .dependent(filter: "gpio4=1")),
    (["gpio4=1", "pi5"], .heldBack(filter: "pi5")),
    (["EDID=X", "gpio4=1", "all"], .counts), (["cm4", "0x1234"], .heldBack(filter: "cm4")),
  ])
  func filtersReplaceAndAddUp(filters: [String], effect: BootConfiguration.Effect) throws {
    let model = try #require(RaspberryPi(compatible: ["raspberrypi,4-model-b", "brcm,bcm2711"]))
    var filter = BootFilter(model: model)
    for name in filters { filter.take(name) }
    #expect(filter.effect == effect)
  }
}
