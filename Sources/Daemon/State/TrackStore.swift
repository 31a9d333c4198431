import BinnacleBasics
import BinnaclePosix
import LocationEngine
import StateLog

/// The log of tracks where it really is: a file of its own beside the log of state, so that weeks of tracks neither fill nor
/// slow down what promises are kept in.
struct TrackStore: LogWriterStore {
  static let name = "tracks.log"
  static let thread = "tracks"

  /// Whether tracks are kept at all; when not, there may be old ones to be erased.
  let isKept: Bool
  private var store: StateStore

  init(
    directory: String, owner: UInt64, isKept: Bool, geometry: LogGeometry = .ofTracks
  ) {
    self.isKept = isKept
    store = StateStore(
      directory: directory, owner: owner, geometry: geometry, name: TrackStore.name)
  }

  mutating func carryOut(_ order: TrackOrder) -> Event {
    switch order {
    case .open: return .track(.opened(open()))
    case .commit(let number, let changes):
      do throws(CommitFailure) {
        return .track(.committed(number: number, try store.commit(changes)))
      } catch {
        return .track(.commitFailed(number: number, error))
      }
    case .erase(let number):
      do throws(CommitFailure) {
        try store.erase(beginsAnew: isKept)
        return .track(.erased(number: number, nil))
      } catch {
        return .track(.erased(number: number, error))
      }
    }
  }

  private mutating func open() -> TrackReading {
    let found = store.open(at: Clock.utc)
    var reading = TrackReading(found.records, geometry: found.geometry)
    reading.obstacle = found.obstacle
    // Where everything is kept has been judged at the log of state.
    reading.notes = found.notes.filter { $0.text.hasPrefix(store.path) }
    return reading
  }
}
