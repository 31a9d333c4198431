import BinnacleBasics

/// Counts over the life of the board: the counts of earlier runs, and the counts of this run.
///
/// While no app gets positions, no record is written: time and positions are counted in memory and go into the next
/// record. Records are written after the start, each minute while an app gets positions, when the last app has ended,
/// and at a clean stop.
struct LifeStatistics: Equatable, Codable, Sendable {
  /// The counts of other machines since the start of this run.
  struct Since: Equatable, Codable, Sendable {
    var fixes = 0
    var searches = 0
    var writtenBytes = 0
    var flushes = 0
  }

  private static let entryPeriod = Interval.seconds(60)

  /// The counts of earlier runs and this start; nil while they are unknown, so that nothing is overwritten.
  private(set) var kept: LifeCounters?
  private var tracking = Stopwatch()
  private var hearing = Stopwatch()
  private var losses: UInt64 = 0
  /// The counts of other machines at the last erasure.
  private var baseline = Since()
  private var isStopped = false
  private var isEntryDue = false
  private var lastEntry: Instant?

  /// The time in which a condition held, added up.
  private struct Stopwatch: Equatable, Codable, Sendable {
    private var total = Interval.zero
    private var since: Instant?

    var isRunning: Bool { since != nil }

    mutating func run(_ runs: Bool, at now: Instant) {
      if runs, since == nil { since = now }
      if !runs, let start = since {
        total = total + (now - start)
        since = nil
      }
    }

    mutating func reset(at now: Instant) {
      total = .zero
      if since != nil { since = now }
    }

    func seconds(at now: Instant) -> UInt64 {
      let running = since.map { now - $0 } ?? .zero
      return UInt64(max(0, (total + running).nanoseconds / 1_000_000_000))
    }
  }

  /// How the last run ended, according to its record.
  enum LastEnd: Equatable, Sendable {
    case unknown
    case cleanStop
    case cutOff
  }

  // MARK: Inputs

  /// The stored counts were read; nil if none are stored.
  mutating func adopt(_ record: LifeCounters?) -> LastEnd {
    guard kept == nil else { return .unknown }
    var counters = record ?? LifeCounters()
    counters.add(1, to: .starts)
    let end: LastEnd = record.map { $0.isCleanlyStopped ? .cleanStop : .cutOff } ?? .unknown
    if end == .cutOff { counters.add(1, to: .startsWithoutCleanStop) }
    counters.isCleanlyStopped = false
    kept = counters
    isEntryDue = true
    return end
  }

  /// Takes the present conditions; called after every event.
  mutating func observe(isTracking: Bool, isHearing: Bool, at now: Instant) {
    if tracking.isRunning, !isTracking { isEntryDue = true }
    tracking.run(isTracking, at: now)
    hearing.run(isHearing, at: now)
    guard isTracking else { return }
    if let last = lastEntry, now - last < LifeStatistics.entryPeriod { return }
    isEntryDue = true
  }

  mutating func receiverLost() { losses &+= 1 }

  /// Sets all counts to zero; this run counts as the first start.
  mutating func erase(_ since: Since, at now: Instant) {
    guard kept != nil else { return }
    var counters = LifeCounters()
    counters.add(1, to: .starts)
    kept = counters
    baseline = since
    losses = 0
    tracking.reset(at: now)
    hearing.reset(at: now)
  }

  /// The daemon is to end.
  mutating func stopRequested() {
    isStopped = true
    isEntryDue = true
  }

  // MARK: Answers

  /// The counts of all runs up to now; nil while the counts of earlier runs are unknown.
  func counters(_ since: Since, at now: Instant) -> LifeCounters? {
    guard var counters = kept else { return nil }
    counters.isCleanlyStopped = isStopped
    counters.add(tracking.seconds(at: now), to: .trackingSeconds)
    counters.add(hearing.seconds(at: now), to: .receiverSeconds)
    counters.add(UInt64(max(0, since.fixes - baseline.fixes)), to: .fixes)
    counters.add(UInt64(max(0, since.searches - baseline.searches)), to: .searches)
    counters.add(losses, to: .receiverLosses)
    counters.add(UInt64(max(0, since.writtenBytes - baseline.writtenBytes)), to: .writtenBytes)
    counters.add(UInt64(max(0, since.flushes - baseline.flushes)), to: .flushes)
    return counters
  }

  /// Whether a record is due; the record then counts as written.
  mutating func takeEntry(at now: Instant) -> Bool {
    guard isEntryDue, kept != nil else { return false }
    isEntryDue = false
    lastEntry = now
    return true
  }
}
