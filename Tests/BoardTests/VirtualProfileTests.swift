import BinnaclePosix
import Board
import Simulation
import TestSupport
import Testing

/// `boards/virtual.conf` and the default board of `binnacle-sim board`.
@Test func theVirtualBoardHasThePartsOfItsProfile() throws {
  let file = TestData.packageRoot + "/boards/virtual.conf"
  let profile = try Profile(parsing: try Files.read(file), file: file)
  let indicator = try #require(profile.indicator)
  let light = try #require(profile.statusLED)
  var parts = profile.buttons.map {
    VirtualPart.button(name: $0.name, line: $0.line, isPressedHigh: !$0.isActiveLow)
  }
  parts.append(.lamp(name: "INDICATOR", line: indicator.line))
  parts.append(.lamp(name: "STATUS", line: light.line))
  parts.append(.wire(from: indicator.line, to: try #require(indicator.sense)))
  #expect(parts == VirtualPart.ofVirtualProfile)
  #expect(profile.board.lines == .simulated(path: "board.sock"))
  #expect(profile.board.bus == .simulated(path: "board.sock"))
  #expect(profile.accelerometer != nil)
}
