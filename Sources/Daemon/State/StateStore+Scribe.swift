import BinnaclePosix
import LocationEngine
import StateLog

/// What the scribe asks of the log of state.
extension StateStore: ScribeStore {
  enum Order: Equatable, Sendable {
    case commit(number: UInt32, [Change])
    case open
  }

  static let thread = "scribe"

  mutating func carryOut(_ order: Order) -> Event {
    switch order {
    case .open: return .stateRead(open(at: Clock.utc))
    case .commit(let number, let changes):
      do throws(CommitFailure) {
        return .committed(number, try commit(changes))
      } catch {
        return .commitFailed(number, error)
      }
    }
  }
}
