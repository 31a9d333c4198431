import BinnacleModel
import Testing

@testable import Console

struct BoardNameTests {
  private func name(_ value: String?, _ origin: String, host: String) -> String? {
    var row = Report()
    row.add(.rowSection, "Board")
    row.add(.rowSetting, "Name")
    if let value { row.add(.rowValue, value) }
    row.add(.rowOrigin, origin)
    return BoardName.name(in: [Report(), row], host: host)
  }

  @Test func aNameThatAnOperatorHasGivenComesFirst() {
    #expect(name("Harbor mast", "drop-in", host: "harbor-2") == "Harbor mast")
  }

  @Test func theHostNameComesBeforeTheModel() {
    #expect(name("Raspberry Pi 4", "profile", host: "harbor-2") == "harbor-2")
    #expect(name(nil, "default", host: "harbor-2") == "harbor-2")
  }

  @Test(arguments: ["raspberrypi", "localhost", "radxa-zero3", "OrangePiZero3"])
  func aHostNameThatEveryBoardHasGivesWayToTheModel(host: String) {
    #expect(name("Raspberry Pi 4", "profile", host: host) == "Raspberry Pi 4")
    #expect(name(nil, "default", host: host) == host)
  }

  @Test func aLongOrHostileNameStaysShortAndPlain() {
    #expect(name(String(repeating: "x", count: 99), "drop-in", host: "a")?.count == 24)
    #expect(name("a\u{1B}[2Jb", "drop-in", host: "a") == "a?[2Jb")
    #expect(BoardName.name(in: [], host: "a") == nil)
  }
}
