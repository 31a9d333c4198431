import BinnacleBasics
import BinnacleModel
import StateLog

/// The tracks of the board, which are recorded if the profile enables them.
extension Engine {
  /// Erases all tracks, on the disk and in memory; the requester gets the outcome.
  mutating func eraseTracks(for requester: Requester, into effects: inout [Effect]) {
    storage.tracks.erase(for: requester, into: &effects)
  }

  mutating func clockRead(
    _ time: UTCTime, within: Interval?, at now: Instant, into effects: inout [Effect]
  ) {
    receiver.clockRead(time, within: within, at: now)
    if within != nil { storage.tracks.clockRead(time, at: now, into: &effects) }
  }

  mutating func takeTrack(_ news: TrackNews, at now: Instant, into effects: inout [Effect]) {
    guard let erasure = storage.tracks.take(news, at: now, into: &effects) else { return }
    let reason = erasure.failure.map { "not erased: \($0)" }
    switch erasure.requester {
    case .engine, .console, .app: return
    case .client(let client, let request):
      effects.append(.client(client, .answer(request: request, failure: reason)))
    case .button(let name):
      if let reason { effects.append(.log(.warning, "button \(name): tracks: \(reason)")) }
    }
  }

  func addTrack(to report: inout Report) {
    guard let settings = storage.tracks.settings else {
      return report.add(.trackIsOn, false)
    }
    report.add(.trackIsOn, true)
    report.add(.trackAccuracy, settings.accuracy == .full ? "full" : "reduced")
    let log = storage.tracks.log
    switch log.condition {
    case .unread, .open, .opening: report.add(.trackKept, log.fault == nil)
    case .closed: report.add(.trackKept, false)
    }
    if let fault = log.fault { report.add(.trackFault, "\(fault)") }
    report.add(.trackStretches, Int64(storage.tracks.index.count))
    report.add(.trackBytes, Int64(storage.tracks.size))
    // A receiver may be years ahead for a while, so the first stretch of the log need not be the oldest.
    let times = storage.tracks.index.lazy.map(\.lastMilliseconds).filter { $0 > 0 }
    if let oldest = times.min() {
      let time = UTCTime(secondsSince1970: oldest / 1_000)
      report.add(.trackOldest, time.rfc3339(fractionDigits: 0))
    }
    report.add(.trackPoints, Int64(storage.tracks.pointCount))
    report.add(.trackPointsWaiting, Int64(storage.tracks.waiting.count))
    report.add(.trackPointsDropped, Int64(storage.tracks.droppedCount))
    report.add(.trackCommits, Int64(log.counts.commits))
    report.add(.trackFailures, Int64(log.counts.failures))
    report.add(.trackWrittenBytes, Int64(log.counts.bytes))
    report.add(.trackFlushes, Int64(log.counts.flushes))
  }
}
