import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// A receiver with a wrong date removes nothing that the board keeps.
@Suite struct WrongDateTests {
  private static let yearsAhead: Int64 = 10 * 365 * 86_400
  private static let app = AppID.listed("org.example.a")

  /// The records of a board that was in use: those of a receiver, and one of each other type that is kept for long.
  private static func kept() throws -> RecordSet {
    var records = try AssistanceTests.kept(.m10)
    let time = UTCTime(secondsSince1970: AssistanceTests.start)
    let key = try #require(app.grantKey)
    var use = ConsoleUse(.wrongPIN, console: "ttyS0", from: time)
    use.to = time
    use.hasEnded = true
    let epoch = BackgroundEpoch(
      app: app, right: .backgroundSession, from: time, to: time, updateCount: 3, hasEnded: true,
      isLampVerified: true)
    let values: [(kind: RecordKind, key: [UInt8], value: [UInt8]?)] = [
      (RecordTable.grant, key, Grant(.whenInUse, by: .command, at: time).bytes),
      (RecordTable.backgroundEpoch, Array("0000000001".utf8), epoch.bytes),
      (RecordTable.consoleUses, [], ConsoleUsesRecord(uses: [use]).bytes),
      (RecordTable.appDefaults, Array("org.example.a\0color".utf8), [1, 2]),
      (RecordTable.lastApp, [], app.recordKey),
    ]
    for (kind, key, value) in values {
      let known: [UInt8] = try #require(value)
      records.apply(try kind.change(key: key, to: known))
    }
    return records
  }

  /// The records after 75 s with a receiver that is ten years ahead.
  private static func afterYearsAhead(_ kept: RecordSet, isClockSure: Bool) -> RecordSet {
    var desk = EngineDesk(
      .m10, lastSpeed: 9_600, path: .journey,
      startSeconds: AssistanceTests.start + 600 + yearsAhead,
      reading: StateReading(records: kept))
    desk.send(
      .wallClockRead(
        UTCTime(secondsSince1970: AssistanceTests.start + 600),
        within: isClockSure ? .milliseconds(500) : nil))
    desk.open()
    desk.run(seconds: 75)
    // The test means nothing if the receiver's date is not believed anywhere.
    #expect(desk.fixes.last.map { $0.time.calendar.year >= 2036 } == true)
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    var records = kept
    for change in desk.commits.joined() { records.apply(change) }
    return records
  }

  @Test(arguments: [true, false])
  func noRecordIsRemovedAndNoDecisionOfAPersonChanges(isClockSure: Bool) throws {
    let kept = try Self.kept()
    let after = Self.afterYearsAhead(kept, isClockSure: isClockSure)
    let ofReceiver = [RecordTable.lastFix, RecordTable.navigationDatabase].map(\.number)
    let changing = [RecordTable.counters, RecordTable.liveUpdates].map(\.number)
    #expect(kept.entries.count >= 9)
    for entry in kept.entries {
      let value = try #require(after[entry.name], "record of type \(entry.name.kind) was removed")
      if changing.contains(entry.name.kind) { continue }
      if !isClockSure, ofReceiver.contains(entry.name.kind) { continue }
      #expect(value == entry.value, "record of type \(entry.name.kind)")
    }
  }

  /// The control: without a sure clock the receiver's date is the only one, and the next start gets no help.
  @Test(arguments: [true, false])
  func aSureClockKeepsTheQuickStartOfTheNextReceiver(isClockSure: Bool) throws {
    let after = Self.afterYearsAhead(try Self.kept(), isClockSure: isClockSure)
    var desk = AssistanceTests.afterPowerCut(.m10, after, after: 1_200)
    let seconds = AssistanceTests.secondsToFix(&desk)
    #expect(isClockSure ? seconds <= 15 : seconds >= 30, "\(seconds) s")
  }
}
