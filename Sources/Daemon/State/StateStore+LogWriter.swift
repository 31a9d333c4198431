import BinnaclePosix
import LocationEngine
import StateLog

/// The log of state, as the log writer sees it.
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
