// Makes durable changes with the state log, for Bench/measures/state-cost-*.sh, which counts the writes to the disk:
//
//   state-cost PATH COUNT SECONDS [GROUP|stretch]
//
// The program prints "open" when the log is open, and starts when its input ends. It makes COUNT changes of 64 bytes,
// with SECONDS between two commits. With GROUP each commit has so many changes. With "stretch" each commit is one
// record with 60 points of a track, as in the track log. The program creates the log at PATH if it is absent. The log
// holds twenty records of an ordinary board.

import BinnacleBasics
import BinnaclePosix
import Devices
import Glibc
import StateLog

/// Twenty records of an ordinary board.
func ordinary() -> [Change] {
  (0..<20).compactMap {
    RecordName(kind: 2, key: [UInt8($0)]).map {
      Change($0, .put([UInt8](repeating: 7, count: 30), isCautious: true))
    }
  }
}

/// A record of the track type.
func track(key: UInt8, _ value: [UInt8]) -> Change {
  Change(
    RecordName(kind: 9, key: [key]) ?? RecordName(kind: 9), .put(value, isCautious: false))
}

func open(_ path: String) throws -> StateLog<LogFile> {
  if Files.exists(path) {
    var file = try LogFile(path: path)
    let recovery = Recovery(of: &file, owner: 1, expecting: .ofFile)
    if let log = StateLog(continuing: recovery, on: file) { return log }
    try StateLog.prewrite(&file, geometry: .ofFile)
    return try StateLog.create(on: file, owner: 1, geometry: .ofFile)
  }
  let file = try LogFile.make(path, geometry: .ofFile)
  return try StateLog.create(on: file, owner: 1, geometry: .ofFile)
}

let words = CommandLine.arguments
guard words.count >= 4, let count = Int(words[2]), let seconds = Int64(words[3]) else {
  print("usage: state-cost PATH COUNT SECONDS [GROUP]")
  ExitStatus.usage.exit()
}
let isTrack = words.count > 4 && words[4] == "stretch"
let group = isTrack ? 60 : words.count > 4 ? Int(words[4]) ?? 1 : 1
/// The size in bytes of a stretch of 60 points in motion (Docs/SPEC-state.md).
let stretchSize = 740
var log = try open(words[1])
_ = try log.commit(ordinary())
/// Opens the commit mark as the daemon does: in a file beside the log, or behind the log on a partition.
func openMark(_ path: String, _ log: LogFile) throws -> CommitMarkFile<LogFile> {
  if path.hasPrefix("/dev/") {
    return CommitMarkFile(on: log, at: LogGeometry.ofFile.byteCount, owner: 1, protecting: [1])
  }
  try Files.remove(path + ".mark")
  let file = try LogFile.make(path + ".mark", byteCount: CommitMark.byteCount)
  return CommitMarkFile(on: file, owner: 1, protecting: [1])
}
var mark = isTrack || group > 1 ? nil : try openMark(words[1], log.file)
mark?.renew(sequence: log.sequence, records: log.records)
// The measuring script ends the input of this program and counts the writes from then on.
print("open")
fflush(nil)
while readLine() != nil {}
var random = Random(seed: 1)
var waiting: [Change] = []
for number in 0..<count {
  let value = (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  // A group consists of different records.
  waiting.append(track(key: UInt8(number % group), value))
  guard waiting.count == group else { continue }
  if isTrack {
    let stretch = (0..<stretchSize).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    waiting = [track(key: 0, stretch)]
  }
  var receipt = try log.commit(waiting)
  mark?.acknowledge(&receipt, records: log.records, at: Clock.now)
  waiting = []
  if seconds > 0 {
    var poll = Poll()
    _ = try poll.wait(until: Clock.now + .seconds(seconds))
  }
}
// Settles the mark, as the daemon does when no commit has come for half a minute.
mark?.settle()
