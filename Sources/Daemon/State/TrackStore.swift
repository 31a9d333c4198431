import BinnacleBasics
import BinnaclePosix
import LocationEngine
import StateLog

/// The log of tracks on its disk.
///
/// Tracks have their own file beside the state log, so that weeks of tracks neither fill nor slow down the state log.
struct TrackStore: LogWriterStore {
  static let name = "tracks.log"
  static let thread = "tracks"

  /// Whether tracks are stored at all; if not, old tracks may have to be erased.
  let isKept: Bool
  private var store: StateStore

  init(
    directory: String, owner: UInt64, isKept: Bool, geometry: LogGeometry = .ofTracks,
    claimed: StateDirectory? = nil
  ) {
    self.isKept = isKept
    store = StateStore(
      directory: directory, owner: owner, geometry: geometry, name: TrackStore.name,
      claimed: claimed)
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
    // The directory was checked when the state log was opened.
    reading.notes = found.notes.filter { $0.text.hasPrefix(store.path) }
    return reading
  }
}
