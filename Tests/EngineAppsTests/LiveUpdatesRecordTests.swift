import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog
import Testing

@Suite struct LiveUpdatesRecordTests {
  private static let record = LiveUpdatesRecord([.default: 2, .fitness: 300])

  @Test func aValueHasItsVersionAndACountPerConfiguration() throws {
    let value: [UInt8] = [1, 0, 2, 0, 3, 0x2C, 1]
    #expect(LiveUpdatesRecordTests.record.value == value)
    #expect(try LiveUpdatesRecord(decoding: value) == LiveUpdatesRecordTests.record)
    #expect(LiveUpdatesRecord().value == nil)
    #expect(LiveUpdatesRecordTests.record.description == "default 2, fitness 300")
  }

  @Test func theLargestValueFitsIntoItsRecord() throws {
    var record = LiveUpdatesRecord()
    for configuration in LiveConfiguration.allCases { record[configuration] = 1_000_000 }
    let value = try #require(record.value)
    #expect(value.count <= RecordTable.liveUpdates.valueSizeMax)
    #expect(record[.airborne] == 65_535)
    #expect(try LiveUpdatesRecord(decoding: value) == record)
  }

  @Test func truncatedAndUnorderedValuesAreRefused() throws {
    let value = try #require(LiveUpdatesRecordTests.record.value)
    for size in [0, 1, 2, 3, 5, 6] {
      #expect(throws: LiveUpdatesRecord.Damage.malformed) {
        try LiveUpdatesRecord(decoding: Array(value.prefix(size)))
      }
    }
    let wrong: [[UInt8]] = [
      [0], value + [9], [1, 0, 0, 0], [1, 9, 1, 0], [1, 3, 1, 0, 0, 1, 0], [1, 0, 1, 0, 0, 1, 0],
    ]
    for value in wrong {
      #expect(throws: LiveUpdatesRecord.Damage.malformed) {
        try LiveUpdatesRecord(decoding: value)
      }
    }
    #expect(throws: LiveUpdatesRecord.Damage.newer(version: 2)) {
      try LiveUpdatesRecord(decoding: [2, 0, 1, 0])
    }
  }

  @Test func randomBytesAreReadExactlyOrRefused() {
    var random = Random(seed: 5)
    var readCount = 0
    for _ in 0..<20_000 {
      let count = Int(random.next() % 8)
      let value = [1] + (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 6) }
      guard let record = try? LiveUpdatesRecord(decoding: value) else { continue }
      readCount += 1
      #expect(record.value == value)
    }
    #expect(readCount > 50)
  }

  @Test func theKeyOfAnAppIsTheAppAsPeopleReadIt() {
    let apps: [(AppID, String)] = [
      (.listed("org.example.tracker"), "org.example.tracker"),
      (.unlisted(userID: 1_000, executable: "/usr/bin/a:b"), "1000:/usr/bin/a:b"),
    ]
    for (app, text) in apps {
      #expect(app.recordKey == Array(text.utf8))
      #expect(AppID(recordKey: Array(text.utf8)) == app)
    }
    #expect(AppID.unresolved(userID: 0).recordKey == nil)
    let long = "/" + String(repeating: "x", count: 255)
    #expect(AppID.unlisted(userID: 0, executable: long).recordKey == nil)
    for text in ["", "1000:", "1000:unknown executable", "+1:/a", "01:/a", "x:/a", ":/a"] {
      #expect(AppID(recordKey: Array(text.utf8)) == nil, "\(text)")
    }
    #expect(AppID(recordKey: [0xFF, 0xFE]) == nil)
  }
}
