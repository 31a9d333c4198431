import BinnacleBasics
import BinnacleModel
import StateLog

/// Records the positions of the board, if the profile enables tracks.
///
/// Points wait, stretches of points are written, and old stretches are removed.
///
///     point --every Period--> waiting --60 points, or a minute--> commit of a stretch and of due removals
///     committed --> index; failed --> waiting again, tried 30 s later
///     erase --> all points and stretches are dropped
///
/// The keeper holds the numbers and times of the stretches on the disk, and none of their positions. Waiting points and
/// the log are bounded; in both the oldest points are removed first. At most one order is under way.
struct TrackKeeper: Equatable, Codable, Sendable {
  /// nil: no tracks are kept.
  let settings: TrackSettings?
  private(set) var log = LogMachine(name: "track")
  private(set) var waiting: [TrackPoint] = []
  private var waitingSince: Instant?
  /// The stretches on the disk, the oldest first.
  private(set) var index: [TrackReading.Stretch] = []
  private(set) var size = 0
  private var sizeMax = LogGeometry.ofTracks.liveSizeMax
  private var flight: Flight?
  private var erasures: [PendingErasure] = []
  private var nextStretch: UInt32 = 1
  private var lastPoint: Int64?
  private var cell: CoarseCell?
  /// Stretches that end before this time, in milliseconds since 1970, are removed with the next commit.
  private var cutoff: Int64?
  private var expiredAt: Instant?
  private var retryAt: Instant?
  private var passing = PassedByAddress()
  private(set) var pointCount = 0
  private(set) var droppedCount = 0

  private enum Flight: Equatable, Codable, Sendable {
    /// - Parameter removed: the numbers of the stretches that the commit removes.
    case commit(
      number: UInt32, stretch: TrackReading.Stretch?, points: [TrackPoint], removed: [UInt32])
    case erase(number: UInt32)
  }

  private struct PendingErasure: Equatable, Codable, Sendable {
    var number: UInt32
    var requester: Requester
  }

  init(_ settings: TrackSettings?) { self.settings = settings }

  // MARK: Inputs

  mutating func started(into effects: inout [Effect]) {
    if settings != nil { effects.append(.track(.open)) }
  }

  /// A position that was delivered to an app.
  mutating func fixJudged(_ fix: Fix, at now: Instant, into effects: inout [Effect]) {
    guard let settings else { return }
    var point = TrackPoint(fix)
    guard isDue(point, settings) else { return }
    guard point.isPossible else {
      droppedCount &+= 1
      return
    }
    if settings.accuracy == .reduced {
      let cell = CoarseCell(point, after: cell)
      self.cell = cell
      point = cell.reduced(point)
    }
    lastPoint = point.timeMilliseconds
    keep(point, at: now, into: &effects)
  }

  /// A person has marked a position; returns false if the position is impossible.
  ///
  /// A mark in a reduced track has the cell of the last point, so that marks do not show when the board enters a cell.
  /// If the next point is due, as it is while no points are recorded, the mark is this point.
  mutating func marked(_ fix: Fix, at now: Instant, into effects: inout [Effect]) -> Bool {
    guard let settings else { return false }
    var point = TrackPoint(fix)
    guard point.isPossible else {
      droppedCount &+= 1
      return false
    }
    if settings.accuracy == .reduced {
      let isNext = isDue(point, settings)
      let cell = isNext ? CoarseCell(point, after: cell) : cell ?? CoarseCell(point, after: nil)
      self.cell = cell
      if isNext { lastPoint = point.timeMilliseconds }
      point = cell.reduced(point)
    }
    point.isMark = true
    keep(point, at: now, into: &effects)
    return true
  }

  private mutating func keep(_ point: TrackPoint, at now: Instant, into effects: inout [Effect]) {
    waiting.append(point)
    waitingSince = waitingSince ?? now
    pointCount &+= 1
    pump(at: now, into: &effects)
  }

  /// The wall clock was read with a known error: once a day, stretches that are too old are removed.
  ///
  /// Old stretches are removed also while nothing is recorded.
  mutating func clockRead(_ time: UTCTime, at now: Instant, into effects: inout [Effect]) {
    guard let settings else { return }
    if let expiredAt, now - expiredAt < StorageLimits.trackExpiryPeriod { return }
    guard log.isOpen else { return }
    expiredAt = now
    cutoff = TrackPoint.milliseconds(time) - TrackKeeper.span(settings)
    pump(at: now, into: &effects)
  }

  mutating func take(
    _ news: TrackNews, at now: Instant, into effects: inout [Effect]
  ) -> Erasure? {
    switch news {
    case .opened(let reading): opened(reading, at: now, into: &effects)
    case .committed(let number, let receipt): committed(number, receipt, at: now, into: &effects)
    case .commitFailed(let number, let failure): failed(number, failure, at: now, into: &effects)
    case .erased(let number, let failure): return erased(number, failure, at: now, into: &effects)
    }
    return nil
  }

  /// The outcome of an order to erase everything.
  struct Erasure: Equatable, Sendable {
    let requester: Requester
    let failure: CommitFailure?
  }

  /// Drops waiting points, and orders the erasure of all points on the disk; the outcome is an ``Erasure``.
  mutating func erase(for requester: Requester, into effects: inout [Effect]) {
    waiting = []
    waitingSince = nil
    let number = log.nextNumber()
    // A commit under way reaches the disk before the erasure, and is erased too.
    flight = .erase(number: number)
    erasures.append(PendingErasure(number: number, requester: requester))
    effects.append(.track(.erase(number: number)))
  }

  /// Everything that waits is due.
  mutating func stopping(at now: Instant, into effects: inout [Effect]) {
    log.stopRequested()
    pump(at: now, into: &effects)
  }

  /// Everything that waits is due: nothing is to be written for a while.
  mutating func writeAll(at now: Instant, into effects: inout [Effect]) {
    log.writeAllRequested()
    pump(at: now, into: &effects)
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    if log.deadlineReached(at: now) { effects.append(.track(.open)) }
    pump(at: now, into: &effects)
  }

  // MARK: Answers

  var nextDeadline: Instant? {
    guard log.isOpen else { return log.reopensAt }
    return flight == nil ? dueAt : nil
  }

  /// Whether nothing is under way and nothing waits that could be written.
  var isSettled: Bool {
    guard flight == nil else { return false }
    return !log.isOpen || waiting.isEmpty || log.fault != nil
  }

  private var dueAt: Instant? {
    // The points that the disk has refused were due before.
    retryAt ?? waitingSince.map { $0 + RecordTable.track.commitClass.delayMax }
  }

  private func isDue(_ point: TrackPoint, _ settings: TrackSettings) -> Bool {
    guard let lastPoint else { return true }
    let spacing = settings.spacing.nanoseconds / 1_000_000
    // Epochs are not exactly a whole period apart. If the clock has gone back, the point is due at once.
    let passed = point.timeMilliseconds - lastPoint
    return passed < 0 || passed >= spacing - spacing / 20
  }

  private static func span(_ settings: TrackSettings) -> Int64 {
    Int64(settings.daysKept) * 86_400_000
  }

  // MARK: Answers of the disk

  private mutating func opened(
    _ reading: TrackReading, at now: Instant, into effects: inout [Effect]
  ) {
    for note in reading.notes { effects.append(.log(note.level, "track: \(note.text)")) }
    if let obstacle = reading.obstacle {
      log.obstructed(by: obstacle, at: now, into: &effects)
      trim()
      return
    }
    log.opened(into: &effects)
    index = reading.stretches
    size = index.reduce(0) { $0 + $1.size }
    sizeMax = reading.sizeMax
    nextStretch = max(nextStretch, (index.last?.number ?? 0) &+ 1)
    pump(at: now, into: &effects)
  }

  private mutating func committed(
    _ number: UInt32, _ receipt: CommitReceipt, at now: Instant, into effects: inout [Effect]
  ) {
    log.written(receipt)
    guard case .commit(number, let stretch, _, let removed)? = flight else { return }
    flight = nil
    log.committed(isCounted: true, into: &effects)
    index.removeAll { removed.contains($0.number) }
    size = index.reduce(0) { $0 + $1.size }
    if let stretch {
      index.append(stretch)
      size += stretch.size
    }
    retryAt = nil
    pump(at: now, into: &effects)
  }

  private mutating func failed(
    _ number: UInt32, _ failure: CommitFailure, at now: Instant, into effects: inout [Effect]
  ) {
    guard case .commit(number, _, let points, _)? = flight else { return }
    flight = nil
    log.failed(failure, into: &effects)
    // The log has less room than was expected.
    if case .full(_, let max) = failure { sizeMax = min(sizeMax, max) * 9 / 10 }
    waiting = points + waiting
    waitingSince = waiting.isEmpty ? nil : waitingSince ?? now
    retryAt = now + StorageLimits.retryDelay
    trim()
  }

  private mutating func erased(
    _ number: UInt32, _ failure: CommitFailure?, at now: Instant, into effects: inout [Effect]
  ) -> Erasure? {
    guard let index = erasures.firstIndex(where: { $0.number == number }) else { return nil }
    let requester = erasures.remove(at: index).requester
    if flight == .erase(number: number) { flight = nil }
    if failure == nil {
      self.index = []
      size = 0
      cell = nil
      retryAt = nil
      if settings != nil { log.begunAnew(into: &effects) }
      effects.append(.log(.notice, "track: everything is erased"))
    } else if settings != nil {
      // The content of the disk is unknown now, so the log is read again.
      log.doubted(because: failure.map { "\($0)" } ?? "", at: now)
    }
    pump(at: now, into: &effects)
    return Erasure(requester: requester, failure: failure)
  }

  // MARK: Writing

  private mutating func pump(at now: Instant, into effects: inout [Effect]) {
    guard let settings else { return }
    trim()
    guard log.isOpen, flight == nil else { return }
    if waiting.isEmpty { log.emptied() }
    if let retryAt, now < retryAt, !log.isStopping || log.fault != nil { return }
    let isDue =
      waiting.count >= TrackStretch.countMax || (dueAt.map { $0 <= now } ?? false)
      || log.isUrgent
    let points = isDue ? Array(waiting.prefix(TrackStretch.countMax)) : []
    let stretch = TrackStretch(
      points, isReduced: settings.accuracy == .reduced,
      periodMilliseconds: settings.spacing.nanoseconds / 1_000_000)
    let put = stretch.map { stretch in
      Change(
        RecordName(kind: RecordTable.track.number, key: TrackKey.bytes(nextStretch))
          ?? RecordName(kind: RecordTable.track.number),
        .put(stretch.bytes, isCautious: RecordTable.track.isCautious))
    }
    let removed = removals(for: put?.encodedSize ?? 0)
    let removals = removed.compactMap { number in
      RecordName(kind: RecordTable.track.number, key: TrackKey.bytes(number)).map {
        Change($0, .remove)
      }
    }
    guard put != nil || !removals.isEmpty else {
      retryAt = nil
      return
    }
    let number = log.nextNumber()
    flight = .commit(
      number: number,
      stretch: put.map {
        .init(
          number: nextStretch, size: $0.encodedSize,
          lastMilliseconds: points.last?.timeMilliseconds ?? 0)
      },
      points: points, removed: removed)
    if put != nil { nextStretch &+= 1 }
    waiting.removeFirst(points.count)
    waitingSince = waiting.isEmpty ? nil : now
    effects.append(.track(.commit(number: number, removals + (put.map { [$0] } ?? []))))
  }

  /// The numbers of stretches that are too old, and of the oldest stretches beyond the size limit.
  ///
  /// Only a wall clock with a known error decides that a stretch is too old: a receiver may be years ahead for a while.
  private func removals(for added: Int) -> [UInt32] {
    let old = index.filter { $0.lastMilliseconds < cutoff ?? .min }
    var removed = Array(old.prefix(StorageLimits.trackRemovalsMax).map(\.number))
    var rest = size - index.reduce(0) { $0 + (removed.contains($1.number) ? $1.size : 0) }
    for stretch in index where rest + added > sizeMax {
      guard removed.count < StorageLimits.trackRemovalsMax else { break }
      guard !removed.contains(stretch.number) else { continue }
      removed.append(stretch.number)
      rest -= stretch.size
    }
    return removed
  }

  /// Drops the oldest waiting points beyond the limit.
  private mutating func trim() {
    let extra = waiting.count - StorageLimits.trackPointsWaitingMax
    guard extra > 0 else { return }
    waiting.removeFirst(extra)
    droppedCount &+= extra
  }
}
