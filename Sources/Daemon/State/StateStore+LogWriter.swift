import BinnaclePosix
import LocationEngine
import StateLog

/// The state log as a store of the log writer.
extension StateStore: LogWriterStore {
  static let thread = "state"

  mutating func carryOut(_ order: Effect.Storage) -> Event {
    switch order {
    case .open: return .storage(.read(open(at: Clock.utc)))
    case .commit(let number, let changes):
      do throws(CommitFailure) {
        return .storage(.committed(number, try commit(changes)))
      } catch {
        return .storage(.commitFailed(number, error))
      }
    }
  }
}
