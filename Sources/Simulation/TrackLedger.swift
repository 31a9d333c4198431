import LocationEngine
import StateLog

/// The tracks that the disk has acknowledged: every power cut keeps them, and at most one order is pending.
///
/// One of the orders that failed since then may be present completely.
struct TrackLedger: Sendable {
  private var kept = RecordSet()
  private var underWay: (number: UInt32, changes: [Change])?
  private var doubtful: [RecordSet] = []

  mutating func ordered(_ order: TrackOrder) -> String? {
    guard case .commit(let number, let changes) = order else { return nil }
    if underWay != nil { return "a stretch of the track is ordered before the one before is done" }
    underWay = (number, changes)
    for change in changes {
      guard case .put(let value, _) = change.action else { continue }
      if kept[change.name] != nil { return "a stretch of the track has the number of another" }
      if TrackStretch(value) == nil { return "a stretch of the track cannot be read" }
    }
    return nil
  }

  mutating func delivered(_ event: Event) {
    guard case .track(let news) = event else { return }
    switch news {
    case .opened: return
    case .committed(let number, _):
      guard let underWay, underWay.number == number else { return }
      kept = finished
      doubtful = []
      self.underWay = nil
    case .commitFailed(let number, _):
      guard underWay?.number == number else { return }
      doubtful.append(finished)
      underWay = nil
    case .erased(_, let failure):
      underWay = nil
      if failure == nil { kept = RecordSet() }
    }
  }

  /// The tracks after a success of the pending order.
  private var finished: RecordSet {
    var finished = kept
    for change in underWay?.changes ?? [] { finished.apply(change) }
    return finished
  }

  /// Checks the log after a power cut: acknowledged tracks are present, and a pending order is complete or absent.
  mutating func powerCut(found: RecordSet) -> String? {
    let isRight = ([kept, finished] + doubtful).contains(found)
    kept = found
    doubtful = []
    underWay = nil
    return isRight ? nil : "tracks that were acknowledged are not there after a power cut"
  }
}
