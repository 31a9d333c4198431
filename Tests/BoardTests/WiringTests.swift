import BinnaclePosix
import Board
import TestSupport
import Testing

/// The shipped profiles against their own tables and against the boards' headers.
struct WiringTests {
  @Test(arguments: Wiring.names)
  func everyLineOfAProfileIsInItsTable(name: String) throws {
    let wiring = try Wiring(name: name)
    #expect(wiring.claims.count == 5)
    for claim in wiring.claims {
      let uses = wiring.rows.filter { $0.line == claim.line }.map { $0.uses }
      #expect(uses == [[claim.use]], "\(claim.line)")
    }
  }

  @Test(arguments: Wiring.names)
  func noPinHasTwoJobs(name: String) throws {
    let rows = try Wiring(name: name).rows
    #expect(Set(rows.map { $0.pin }).count == rows.count)
    let signals = rows.filter { !$0.isPower }
    #expect(Set(signals.map { $0.line }).count == signals.count)
    for row in signals { #expect(row.uses.count == 1, "pin \(row.pin)") }
    let uses = rows.flatMap { $0.uses }
    for use in [
      "receiver VCC", "receiver GND", "receiver TX", "receiver RX", "receiver PPS",
      "accelerometer VCC", "accelerometer GND", "accelerometer SDA", "accelerometer SCL",
    ] {
      #expect(uses.filter { $0 == use }.count == 1, "\(use)")
    }
  }

  @Test(arguments: Wiring.names)
  func everyLineIsAtThePinOfItsTable(name: String) throws {
    let wiring = try Wiring(name: name)
    for row in wiring.rows {
      let there = Header(board: name).line(at: row.pin)
      #expect(there == row.line, "pin \(row.pin)")
    }
  }

  @Test(arguments: Wiring.names)
  func everyLineIsOnTheChipOfTheProfile(name: String) throws {
    let wiring = try Wiring(name: name)
    let header = Header(board: name)
    #expect(wiring.profile.board.lines == .chip(label: header.chip))
    for claim in wiring.claims {
      #expect(header.isOnChip(claim.line), "\(claim.line)")
    }
  }

  /// No line of the Orange Pi has a name of its own: the overlay gives those that the profile uses.
  @Test func theOverlayNamesTheLinesOfTheOrangePi() throws {
    let text = String(
      decoding: try Files.read(Wiring.directory + "/overlays/orange-pi-zero-3-lines.dts"),
      as: UTF8.self)
    let values = text.split(separator: "gpio-line-names =")[1].split(separator: ";")[0]
      .split(separator: "\"", omittingEmptySubsequences: false)
    // Every second piece is between quotation marks.
    let names = stride(from: 1, to: values.count, by: 2).map { values[$0] }
    for claim in try Wiring(name: "orange-pi-zero-3").claims {
      let pin = try #require(Int(claim.line.dropFirst(2)))
      // PC is the third bank of 32 lines.
      #expect(names.firstIndex { $0 == claim.line } == 64 + pin)
    }
  }
}
