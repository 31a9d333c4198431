import BinnacleBasics
import BinnacleModel
import StateLog

/// The rest that an earlier run has recorded.
extension UpdateTable {
  /// The number of sequences that pause.
  var pausedCount: Int {
    clients.reduce(0) { $0 + $1.sequences.filter(\.pause.isPaused).count }
  }

  /// Takes the recorded rest of an earlier run.
  mutating func adopt(_ reading: StateReading, into effects: inout [Effect]) -> RestRecord? {
    let name = RecordName(kind: RecordTable.rest.number)
    guard let value = reading.records[name] else { return nil }
    guard let record = RestRecord(bytes: value) else {
      effects.append(.log(.warning, "state: the last rest cannot be read, going on without it"))
      return nil
    }
    restAdopted()
    if spot == nil { spot = record.spot }
    return record
  }
}
