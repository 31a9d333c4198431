import BinnacleBasics
import BinnacleModel
import StateLog

/// The processes that a person has left in the background, over restarts of the daemon within a boot.
extension Engine {
  mutating func noteAway(at now: Instant, into effects: inout [Effect]) {
    guard apps.away != notedAway, storage.state.log.condition != .unread else { return }
    let isSame = apps.away.hasSameProcesses(as: notedAway)
    notedAway = apps.away
    if isSame { return }
    let value = notedAway.bytes(bootID: configuration.bootID)
    keep(RecordTable.away, value: value, at: now, into: &effects)
  }

  /// Takes the record over; a record of another boot is removed, because its processes are gone.
  mutating func adoptAway(at now: Instant, into effects: inout [Effect]) {
    guard let value = storage.state.value(of: RecordTable.away) else { return }
    if let processes = AwayProcesses(bytes: value, bootID: configuration.bootID) {
      notedAway = processes
      apps.recalled(processes, at: now)
    } else {
      keep(RecordTable.away, value: nil, at: now, into: &effects)
    }
  }
}
