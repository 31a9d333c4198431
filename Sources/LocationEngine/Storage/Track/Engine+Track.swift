import BinnacleBasics
import BinnacleModel
import StateLog

/// The tracks of the board, kept if the profile says so.
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
    case .nobody, .app: return
    case .client(let client, let request):
      effects.append(.client(client, .answer(request: request, failure: reason)))
    case .button(let name):
      if let reason { effects.append(.log(.warning, "button \(name): tracks: \(reason)")) }
    }
  }

  func addTrack(to report: inout Report) {
    guard let settings = storage.tracks.settings else {
      return report.add("track.is_on", .flag(false))
    }
    report.add("track.is_on", .flag(true))
    report.add("track.accuracy", .text(settings.accuracy == .full ? "full" : "reduced"))
    let log = storage.tracks.log
    switch log.condition {
    case .unread, .open, .opening: report.add("track.kept", .flag(log.fault == nil))
    case .closed: report.add("track.kept", .flag(false))
    }
    if let fault = log.fault { report.add("track.fault", .text("\(fault)")) }
    report.add("track.stretches", .integer(Int64(storage.tracks.index.count)))
    report.add("track.bytes", .integer(Int64(storage.tracks.size)))
    if let oldest = storage.tracks.index.first, oldest.lastMilliseconds > 0 {
      let time = UTCTime(secondsSince1970: oldest.lastMilliseconds / 1_000)
      report.add("track.oldest", .text(time.rfc3339(fractionDigits: 0)))
    }
    report.add("track.points", .integer(Int64(storage.tracks.pointCount)))
    report.add("track.points_waiting", .integer(Int64(storage.tracks.waiting.count)))
    report.add("track.points_dropped", .integer(Int64(storage.tracks.droppedCount)))
    report.add("track.commits", .integer(Int64(log.counts.commits)))
    report.add("track.failures", .integer(Int64(log.counts.failures)))
    report.add("track.written_bytes", .integer(Int64(log.counts.bytes)))
    report.add("track.flushes", .integer(Int64(log.counts.flushes)))
  }
}
