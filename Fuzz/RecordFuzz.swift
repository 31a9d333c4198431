import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// Record values of any bytes are read, and an engine that finds them on the disk starts.
func fuzzRecords(_ bytes: [UInt8]) {
  var reader = ByteReader(bytes)
  var changes: [Change] = []
  while let kind = reader.u8(), let size = reader.u8() {
    let number = RecordTable.all[Int(kind & 31) % RecordTable.all.count].number
    let value = reader.take(min(Int(size), reader.remaining)) ?? []
    let key = Array(value.prefix(Int(kind >> 5)))
    guard let name = RecordName(kind: number, key: key) else { continue }
    changes.append(Change(name, .put(value, isCautious: kind & 0x80 != 0)))
  }
  var file = MemoryFile(bytes: [])
  guard let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) else { return }
  let recovery = Recovery(of: &file, owner: 0, expecting: geometry)
  guard var log = StateLog(continuing: recovery, on: file), (try? log.commit(changes)) != nil else {
    return
  }
  for entry in log.records.entries {
    _ = RecordText.words(for: entry, showsPlaces: true)
    _ = RecordText.words(for: entry, showsPlaces: false)
  }
  start(with: log.records)
}

/// The engine finds the records, runs for a minute, reports, and shows its kept data.
private func start(with records: RecordSet) {
  var engine = Engine(configuration: Configuration(), seed: 1)
  var now = Instant.zero
  var effects: [Effect] = []
  let client = ClientID(number: 1)
  let events: [Event] = [
    .storage(.read(StateReading(records: records))), .started,
    .wallClockRead(UTCTime(secondsSince1970: 1_790_000_000), within: .seconds(1)),
    .receiver(.opened(.init(kind: .pseudoTerminal, speed: 9_600))),
    .client(client, .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "f")),
    .client(client, .updatesOpened(SequenceID(number: 1), .default)),
    .client(client, .requested(1, .openDefaults)), .client(client, .requested(2, .status)),
    .client(client, .requested(3, .state(.read))), .stopRequested,
  ]
  for event in events {
    engine.handle(event, at: now, into: &effects)
    for _ in 0..<8 {
      guard let due = engine.nextDeadline, due <= now + .seconds(5) else { break }
      now = max(now, due)
      engine.handle(.deadlineReached, at: now, into: &effects)
    }
  }
}

/// A stretch of a track of any bytes is read, and stays the same when it is written again.
func fuzzTrack(_ bytes: [UInt8]) {
  _ = TrackStretch.Head(bytes)
  var value = bytes
  // The second pass sets the version and a possible time; otherwise the fuzzer would rarely reach the points.
  for mend in [false, true] {
    if mend, value.count >= 20 {
      value[0] = 1
      value.replaceSubrange(4..<12, with: [0, 0, 0x40, 0x7F, 0xA0, 0x01, 0, 0])
    }
    guard let stretch = TrackStretch(value) else { continue }
    precondition(
      TrackStretch(stretch.bytes)?.points == stretch.points, "a track was written as another one")
  }
}
