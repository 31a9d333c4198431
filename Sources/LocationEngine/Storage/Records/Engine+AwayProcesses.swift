import BinnacleBasics
import BinnacleModel
import StateLog

/// The processes that a person has sent to the background, over restarts of the daemon within a boot.
extension Engine {
  mutating func noteAway(at now: Instant, into effects: inout [Effect]) {
    guard apps.away != notedAway, storage.state.log.condition != .unread else { return }
    notedAway = apps.away
    let value = notedAway?.bytes(bootID: configuration.bootID)
    keep(RecordTable.away, value: value, at: now, into: &effects)
  }

  mutating func adoptAway() {
    let value = storage.state.value(of: RecordTable.away)
    notedAway = value.flatMap { AwayProcesses(bytes: $0, bootID: configuration.bootID) }
    apps.recalled(notedAway)
  }
}
