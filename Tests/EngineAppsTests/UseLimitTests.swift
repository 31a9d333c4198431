import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The epochs that leave `binnacle audit` for later ones: only those that have ended.
@Suite struct UseLimitTests {
  private static let tracker = ConsentDesk.tracker
  private static let tool = AppID.unlisted(userID: 0, executable: "/usr/bin/binnacle")

  private static func epoch(
    _ app: AppID, _ right: UseRight = .backgroundSession, hasEnded: Bool
  ) -> BackgroundEpoch {
    BackgroundEpoch(
      app: app, right: right, from: nil, to: nil, updateCount: 0, hasEnded: hasEnded,
      isLampVerified: true)
  }

  @Test(arguments: [UseRight.backgroundSession, .operator])
  func aUseThatContinuesOutlastsAnyNumberOfLaterOnes(_ right: UseRight) {
    let app = right == .operator ? Self.tool : Self.tracker
    var epochs = BackgroundEpochs()
    let number = epochs.begin(Self.epoch(app, right, hasEnded: false), at: .zero)
    for other in 0..<200 {
      _ = epochs.begin(Self.epoch(.listed("org.example.a\(other)"), hasEnded: true), at: .zero)
    }
    for _ in 0..<200 { _ = epochs.begin(Self.epoch(app, right, hasEnded: true), at: .zero) }
    #expect(epochs.entries.count == 128)
    #expect(epochs.entries.first?.number == number)
    let end = Instant.zero + .seconds(100)
    epochs.end(number, updateCount: 5, time: nil, at: end)
    let kept = epochs.takeNotes(at: end + .seconds(100), time: nil)
      .compactMap { $0.value.flatMap(BackgroundEpoch.init(bytes:)) }
    #expect(kept.contains { $0.hasEnded && $0.updateCount == 5 })
  }

  @Test func theOldestUseIsRemovedWhenAllContinueInAllPlaces() {
    var epochs = BackgroundEpochs()
    func names() -> [String] { epochs.entries.map { "\($0.epoch.app)" } }
    var numbers: [UInt32] = []
    func begin(_ number: Int) -> BackgroundEpoch {
      Self.epoch(.listed("a\(number)"), hasEnded: false)
    }
    for number in 0..<136 { numbers.append(epochs.begin(begin(number), at: .zero)) }
    #expect(names().count == 136 && names().first == "a0")
    #expect(RecordTable.backgroundEpoch.countMax == 136)
    _ = epochs.begin(begin(136), at: .zero)
    #expect(names().count == 136 && names().first == "a1")
    epochs.end(numbers[5], updateCount: 0, time: nil, at: .zero)
    _ = epochs.begin(begin(137), at: .zero)
    #expect(names().first == "a1" && !names().contains("a5") && names().last == "a137")
  }

  // MARK: A log that can be read later

  private static func reading(_ count: Int) throws -> StateReading {
    var records = RecordSet()
    for number in 1...count {
      let key = Array(String(repeating: "0", count: 7).utf8) + Array(String(100 + number).utf8)
      records.apply(
        try RecordTable.backgroundEpoch.change(
          key: key, to: epoch(.listed("org.example.old\(number)"), hasEnded: true).bytes))
    }
    return StateReading(records: records)
  }

  @Test(arguments: [5, 128])
  func usesBeforeALateReadingFollowTheUsesOfTheLog(_ count: Int) throws {
    var table = UseTable()
    table.adopt(StateReading(obstacle: .init(.passing, "no disk")), isFirst: true)
    let use = LocationUse(
      app: Self.tracker, right: .backgroundSession, isInBackground: true, since: .zero, time: nil)
    table.settle([use], isLampVerified: true, time: nil, at: .zero)
    #expect(table.epochs.nextWrite == nil)
    #expect(table.epochs.takeNotes(at: .zero, time: nil).isEmpty)
    table.adopt(try Self.reading(count), isFirst: false)
    #expect(table.epochs.entries.count == min(count + 1, 128))
    #expect(table.epochs.entries.last?.epoch.app == Self.tracker)
    #expect(table.epochs.entries.last?.number == UInt32(100 + count + 1))
    table.delivered(to: Self.tracker, isOperator: false, at: .zero)
    #expect(table.epochs.entries.last?.epoch.updateCount == 1)
    let notes = table.epochs.takeNotes(at: .zero, time: nil)
    #expect(notes.count { $0.value != nil } == 1)
    // The oldest record makes room when all places are taken.
    #expect(notes.count { $0.value == nil } == (count == 128 ? 1 : 0))
  }
}
