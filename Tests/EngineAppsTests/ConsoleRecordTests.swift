import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Tries of PINs outlast a power cut, and `binnacle audit` lists unlocked consoles and wrong PINs.
@Suite struct ConsoleRecordTests {
  /// The number of commits with a record of a kind.
  private static func writes(_ desk: ConsoleDesk, of kind: RecordKind) -> Int {
    desk.desk.desk.effects.count {
      guard case .storage(.commit(_, let changes)) = $0 else { return false }
      return changes.contains { $0.name.kind == kind.number }
    }
  }

  // MARK: Tries

  @Test func aPowerCutGivesNoFurtherTry() {
    // The same seconds, with and without power cuts: a cut never gives more tries.
    func tries(cutAfter: Int64?) -> Int {
      let desk = ConsoleDesk()
      var count = 0
      for second in 0..<600 {
        if desk.tryPIN(.wrong) { count += 1 }
        if let cutAfter, Int64(second) % cutAfter == 0 { desk.cutPower() }
        desk.desk.desk.wait(1)
      }
      return count
    }
    let waiting = tries(cutAfter: nil)
    #expect((12...18).contains(waiting), "\(waiting)")
    for period: Int64 in [1, 2, 5, 13, 59, 61] {
      let cut = tries(cutAfter: period)
      #expect(cut <= waiting, "\(cut) tries with a power cut each \(period) s")
    }
  }

  @Test func theTryIsOnTheDiskBeforeThePINIsCompared() {
    let desk = ConsoleDesk()
    desk.desk.desk.holdsCommits = true
    #expect(!desk.tryPIN(.right))
    #expect(!desk.isUnlocked())
    desk.desk.desk.holdsCommits = false
    desk.desk.desk.release()
    guard case .client(ConsoleDesk.console, .checkPIN)? = desk.desk.desk.effects.last else {
      Issue.record("no comparison after the commit")
      return
    }
  }

  @Test func aSeriesOfWrongPINsCostsSevenWritesOfTries() {
    let desk = ConsoleDesk()
    for _ in 0..<50 {
      #expect(desk.tryPIN(.wrong))
      desk.desk.desk.wait(60)
    }
    #expect(Self.writes(desk, of: RecordTable.pinTries) == 7)
    // One at the first wrong PIN, and none in the hour after.
    #expect(Self.writes(desk, of: RecordTable.consoleUses) == 1)
    desk.desk.desk.wait(3_600)
    #expect(Self.writes(desk, of: RecordTable.consoleUses) == 2)
  }

  @Test func theRightPINEndsTheSeriesAlsoOnTheDisk() {
    let desk = ConsoleDesk()
    #expect(desk.tryPIN(.wrong))
    desk.desk.desk.wait(1)
    #expect(desk.tryPIN(.right))
    desk.desk.desk.wait(61)
    desk.cutPower()
    #expect(desk.desk.desk.engine.consoles.wrongCount == 0)
    #expect(desk.tryPIN(.right))
  }

  @Test func aBoardWithoutAPINWritesNothingForTries() {
    let desk = ConsoleDesk()
    for _ in 0..<100 { #expect(desk.tryPIN(.unset)) }
    #expect(Self.writes(desk, of: RecordTable.pinTries) == 1)
    #expect(desk.audit().isEmpty)
  }

  @Test func withoutADiskEachTryCostsAMinuteAlsoTheFirstOne() {
    let desk = ConsoleDesk()
    desk.desk.desk.failDisk(call: 0)
    #expect(!desk.tryPIN(.right))
    #expect(desk.refusal?.contains("no PIN is tried yet: the board cannot keep the number") == true)
    desk.desk.desk.wait(61)
    desk.desk.desk.failDisk(call: 0)
    #expect(desk.tryPIN(.wrong))
    desk.desk.desk.wait(59)
    #expect(!desk.tryPIN(.right))
    desk.desk.desk.wait(2)
    #expect(desk.tryPIN(.right))
    #expect(desk.isUnlocked())
  }

  @Test(arguments: [[], [1], [2, 1], [1, 200], [1, 3, 0]] as [[UInt8]])
  func aDamagedNumberOfTriesCountsAsTheLargest(_ value: [UInt8]) throws {
    let desk = ConsoleDesk()
    let name = RecordName(kind: RecordTable.pinTries.number)
    try desk.desk.desk.plant(Change(name, .put(value, isCautious: false)))
    desk.cutPower()
    #expect(desk.desk.desk.engine.consoles.wrongCount == 7)
    #expect(!desk.tryPIN(.right))
  }

  // MARK: The audit

  private static func rows(_ desk: ConsoleDesk) -> [String] {
    desk.audit().map { row in
      let end = row[.rowTo].map { " to \($0.suffix(9))" } ?? ""
      let count = row[.rowWrongPINs].map { " \($0)" } ?? ""
      return "\(row[.rowID] ?? "") \(row[.rowRight] ?? "")\(count)\(end)"
    }
  }

  @Test func theAuditListsUnlocksLocksAndWrongPINs() {
    let desk = ConsoleDesk()
    #expect(desk.tryPIN(.wrong))
    desk.desk.desk.wait(1)
    #expect(desk.tryPIN(.wrong))
    desk.desk.desk.wait(2)
    #expect(desk.tryPIN(.right))
    desk.desk.desk.wait(7)
    #expect(
      Self.rows(desk) == [
        "console on ttyS1 console_wrong_pin 2 to 14:13:21Z", "console on ttyS1 console_pin",
      ])
    _ = desk.ask(.lock)
    desk.press(count: 2)
    _ = desk.ask(.unlockByPresence)
    desk.desk.desk.send(.client(ConsoleDesk.console, .disconnected))
    let rows = Self.rows(desk)
    #expect(rows.count == 3)
    #expect(rows[1] == "console on ttyS1 console_pin to 14:13:30Z")
    #expect(rows[2].hasPrefix("console on ttyS1 console_presence to 14:13:3"))
  }

  @Test func theAuditOutlastsAPowerCut() {
    let desk = ConsoleDesk()
    #expect(desk.tryPIN(.wrong))
    desk.desk.desk.wait(1)
    #expect(desk.tryPIN(.right))
    desk.desk.desk.wait(60)
    let before = desk.audit().map { $0[.rowRight] }
    desk.cutPower()
    let after = desk.audit()
    #expect(after.map { $0[.rowRight] } == before)
    #expect(after.last?[.rowTo] != nil)
  }

  @Test func eraseForgetsTheAuditAndKeepsTheUnlockedConsole() {
    let desk = ConsoleDesk()
    #expect(desk.tryPIN(.right))
    _ = desk.ask(.lock)
    desk.desk.desk.wait(60)
    #expect(desk.tryPIN(.right))
    desk.desk.desk.send(.client(ClientID(number: 900), .requested(1, .state(.erase(.all)))))
    #expect(Self.rows(desk) == ["console on ttyS1 console_pin"])
    desk.cutPower()
    #expect(Self.rows(desk) == [])
  }

  @Test func onlyOperatorsAndConsolesThatMayLookSeeConsolesInTheAudit() {
    let desk = ConsoleDesk()
    #expect(desk.tryPIN(.wrong))
    let app = desk.desk.start(ConsentDesk.tracker)
    func count(_ client: ClientID) -> Int {
      let start = desk.desk.desk.effects.count
      desk.desk.desk.send(.client(client, .requested(9, .consent(.audit))))
      for case .client(client, .rows(9, let rows)) in desk.desk.desk.effects[start...] {
        return rows.count
      }
      return -1
    }
    #expect(count(app) == 0)
    #expect(count(ConsoleDesk.console) == 1)
  }

  @Test func theRecordIsReadAsItWasWrittenAndDamageIsNoRecord() {
    var use = ConsoleUse(
      .wrongPIN, console: "console on ttyS1", from: UTCTime(secondsSince1970: 1_790_000_000))
    use.to = UTCTime(secondsSince1970: 1_790_000_060)
    use.wrongCount = 9
    let uses = [use, ConsoleUse(.presence, console: "", from: nil)]
    let bytes = ConsoleUsesRecord(uses: uses).bytes
    #expect(ConsoleUsesRecord(bytes: bytes)?.uses == uses)
    for count in 1..<bytes.count where count != 1 + 21 + 16 {
      #expect(ConsoleUsesRecord(bytes: Array(bytes[..<count]))?.uses.isEmpty ?? true, "\(count)")
    }
    #expect(ConsoleUsesRecord(bytes: [2] + bytes.dropFirst()) == nil)
    let long = ConsoleUse(.pin, console: String(repeating: "ü", count: 60), from: nil)
    let full = ConsoleUsesRecord(uses: Array(repeating: long, count: ConsoleUses.countMax)).bytes
    #expect(full.count <= RecordTable.consoleUses.valueSizeMax)
    #expect(ConsoleUsesRecord(bytes: full)?.uses.first?.console.utf8.count == 64)
  }
}
