import BinnacleBasics
import BinnacleModel
import StateLog

/// The counts over the board's life: recorded, recovered at the start, and reported.
extension Engine {
  mutating func noteLife(at now: Instant, into effects: inout [Effect]) {
    // While all updates pause, the receiver is not polled for its navigation database either.
    let isTracking = settledNeed == .updates
    receiver.positionsWanted(isTracking)
    life.observe(isTracking: isTracking, isHearing: receiver.condition == .heard, at: now)
    guard life.takeEntry(at: now), let counters = life.counters(countsSinceStart, at: now) else {
      return
    }
    keep(RecordTable.counters, value: counters.bytes, at: now, into: &effects)
  }

  /// Takes over the counts of earlier runs, as soon as they can be read.
  mutating func adoptLife(_ reading: StateReading, into effects: inout [Effect]) {
    guard reading.obstacle == nil, life.kept == nil else { return }
    let value = reading.records[RecordName(kind: RecordTable.counters.number)]
    let record = value.flatMap { LifeCounters(bytes: $0) }
    if value != nil, record == nil {
      effects.append(
        .log(.warning, "state: the counters cannot be read; they start at zero"))
    }
    guard life.adopt(record) == .cutOff else { return }
    effects.append(
      .log(
        .notice,
        "daemon: it was not stopped the last time: the power was cut, or it was killed"))
  }

  func addLife(to report: inout Report, at now: Instant) {
    guard let counters = life.counters(countsSinceStart, at: now) else { return }
    for name in LifeCounters.Name.allCases {
      report.add(.lifeCounter(name.inReport), Int64(clamping: counters[name]))
    }
  }

  var countsSinceStart: LifeStatistics.Since {
    LifeStatistics.Since(
      fixes: judge.acceptedCount, searches: receiver.memory.counters.searches,
      writtenBytes: storage.writtenBytes, flushes: storage.flushCount)
  }
}

extension LifeCounters.Name {
  fileprivate var inReport: String {
    switch self {
    case .starts: "starts"
    case .startsWithoutCleanStop: "starts_without_clean_stop"
    case .trackingSeconds: "tracking_s"
    case .receiverSeconds: "receiver_on_s"
    case .fixes: "fixes"
    case .searches: "receiver_searches"
    case .receiverLosses: "receiver_losses"
    case .writtenBytes: "written_bytes"
    case .flushes: "flushes"
    }
  }
}
