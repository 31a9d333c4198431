import BinnacleBasics
import BinnacleModel
import StateLog

/// Keeps where the board was, if the profile wants that: points wait, stretches of them are written, old ones go.
///
///     point --every Period--> waiting --60 of them, or a minute--> commit of a stretch, with the removals that it makes due
///     committed --> index; failed --> waiting again, tried 30 s later
///     erase --> everything is forgotten
///
/// It holds no places that are on the disk, only how many and of when. What waits is bounded, the log is bounded, and in
/// both the oldest goes first. One order is under way at most.
struct TrackKeeper: Equatable, Codable, Sendable {
  /// Points that wait for a disk that fails.
  static let waitingMax = 600
  /// Stretches that go with one commit: with a stretch they fit into a block.
  static let removalsMax = 200
  private static let groupDelay = CommitClass.group.delayMax
  private static let expiryPeriod = Interval.seconds(86_400)

  /// What is wanted; nil: nothing is kept.
  let settings: TrackSettings?
  private(set) var condition = Condition.unread
  private(set) var waiting: [TrackPoint] = []
  private var waitingSince: Instant?
  /// What is on the disk, the oldest first.
  private(set) var index: [TrackReading.Stretch] = []
  private(set) var size = 0
  private var sizeMax = LogGeometry.ofTracks.liveSizeMax
  private var flight: Flight?
  private var wishes: [Wish] = []
  private var lastNumber: UInt32 = 0
  private var nextStretch: UInt32 = 1
  private var lastPoint: Int64?
  private var cell: CoarseCell?
  /// Stretches that end before this moment, in milliseconds since 1970, go with the next commit.
  private var cutoff: Int64?
  private var expiredAt: Instant?
  private var retryAt: Instant?
  private var isStopping = false
  /// Whether everything that waits is due.
  private var isHurried = false
  private(set) var fault: CommitFailure?
  private(set) var counts = Counts()

  enum Condition: Equatable, Codable, Sendable {
    case unread
    case open
    case closed(reason: String, retryAt: Instant?)
  }

  private enum Flight: Equatable, Codable, Sendable {
    /// - Parameter removed: the numbers of the stretches that the commit removes.
    case commit(
      number: UInt32, stretch: TrackReading.Stretch?, points: [TrackPoint], removed: [UInt32])
    case erase(number: UInt32)
  }

  private struct Wish: Equatable, Codable, Sendable {
    var number: UInt32
    var requester: Requester
  }

  struct Counts: Equatable, Codable, Sendable {
    var points = 0
    var dropped = 0
    var commits = 0
    var failures = 0
    var bytes = 0
    var flushes = 0
  }

  init(_ settings: TrackSettings?) { self.settings = settings }

  // MARK: Inputs

  mutating func started(into effects: inout [Effect]) {
    if settings != nil { effects.append(.track(.open)) }
  }

  /// A position that somebody gets.
  mutating func fixJudged(_ fix: Fix, at now: Instant, into effects: inout [Effect]) {
    guard let settings else { return }
    var point = TrackPoint(fix)
    guard isDue(point, settings) else { return }
    guard point.isPossible else {
      counts.dropped &+= 1
      return
    }
    if settings.accuracy == .reduced {
      let cell = CoarseCell(point, after: cell)
      self.cell = cell
      point = cell.reduced(point)
    }
    lastPoint = point.timeMilliseconds
    waiting.append(point)
    waitingSince = waitingSince ?? now
    counts.points &+= 1
    pump(at: now, into: &effects)
  }

  /// A wall clock that somebody answers for: what is too old goes, once a day, also while nothing is recorded.
  mutating func clockRead(_ time: UTCTime, at now: Instant, into effects: inout [Effect]) {
    guard let settings else { return }
    if let expiredAt, now - expiredAt < TrackKeeper.expiryPeriod { return }
    guard condition == .open else { return }
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

  /// What became of the wish to erase everything.
  struct Erasure: Equatable, Sendable {
    let requester: Requester
    let failure: CommitFailure?
  }

  /// Forgets what waits and orders that everything on the disk is erased; ``Erasure`` tells what came of it.
  mutating func erase(for requester: Requester, into effects: inout [Effect]) {
    waiting = []
    waitingSince = nil
    lastNumber &+= 1
    // A commit under way comes before it on the disk, and goes with it.
    flight = .erase(number: lastNumber)
    wishes.append(Wish(number: lastNumber, requester: requester))
    effects.append(.track(.erase(number: lastNumber)))
  }

  /// Everything that waits is due.
  mutating func stopping(at now: Instant, into effects: inout [Effect]) {
    isStopping = true
    pump(at: now, into: &effects)
  }

  /// Everything that waits is due: nothing is to be written for a while.
  mutating func writeAll(at now: Instant, into effects: inout [Effect]) {
    isHurried = true
    pump(at: now, into: &effects)
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    if case .closed(_, let retryAt?) = condition, retryAt <= now {
      condition = .unread
      effects.append(.track(.open))
    }
    pump(at: now, into: &effects)
  }

  // MARK: Answers

  var nextDeadline: Instant? {
    switch condition {
    case .unread: nil
    case .closed(_, let retryAt): retryAt
    case .open: flight == nil ? dueAt : nil
    }
  }

  /// Whether nothing is under way and nothing waits that could be written.
  var isSettled: Bool {
    guard flight == nil else { return false }
    return condition != .open || waiting.isEmpty || fault != nil
  }

  private var dueAt: Instant? {
    guard let waitingSince else { return retryAt }
    let due = waitingSince + TrackKeeper.groupDelay
    return max(due, retryAt ?? due)
  }

  private func isDue(_ point: TrackPoint, _ settings: TrackSettings) -> Bool {
    guard let lastPoint else { return true }
    let spacing = settings.spacing.nanoseconds / 1_000_000
    // Epochs are not a whole period apart to the millisecond. A clock that goes back begins anew.
    let passed = point.timeMilliseconds - lastPoint
    return passed < 0 || passed >= spacing - spacing / 20
  }

  private static func span(_ settings: TrackSettings) -> Int64 {
    Int64(settings.daysKept) * 86_400_000
  }

  // MARK: What the disk says

  private mutating func opened(
    _ reading: TrackReading, at now: Instant, into effects: inout [Effect]
  ) {
    for note in reading.notes { effects.append(.log(note.level, "track: \(note.text)")) }
    if let obstacle = reading.obstacle {
      if fault == nil {
        effects.append(.log(.error, "track: nothing is kept: \(obstacle.text)"))
      }
      fault = .closed(obstacle.text)
      condition = .closed(
        reason: obstacle.text,
        retryAt: obstacle.kind == .passing ? now + CommitSchedule.retryDelay : nil)
      trim()
      return
    }
    if fault != nil { effects.append(.log(.notice, "track: it is kept again")) }
    fault = nil
    condition = .open
    index = reading.stretches
    size = index.reduce(0) { $0 + $1.size }
    sizeMax = reading.sizeMax
    nextStretch = max(nextStretch, (index.last?.number ?? 0) &+ 1)
    pump(at: now, into: &effects)
  }

  private mutating func committed(
    _ number: UInt32, _ receipt: CommitReceipt, at now: Instant, into effects: inout [Effect]
  ) {
    counts.bytes &+= receipt.bytesWritten
    counts.flushes &+= receipt.flushCount
    guard case .commit(number, let stretch, _, let removed)? = flight else { return }
    flight = nil
    counts.commits &+= 1
    index.removeAll { removed.contains($0.number) }
    size = index.reduce(0) { $0 + $1.size }
    if let stretch {
      index.append(stretch)
      size += stretch.size
    }
    if fault != nil { effects.append(.log(.notice, "track: the disk takes it again")) }
    fault = nil
    retryAt = nil
    pump(at: now, into: &effects)
  }

  private mutating func failed(
    _ number: UInt32, _ failure: CommitFailure, at now: Instant, into effects: inout [Effect]
  ) {
    guard case .commit(number, _, let points, _)? = flight else { return }
    flight = nil
    counts.failures &+= 1
    if fault == nil { effects.append(.log(.error, "track: not written: \(failure)")) }
    fault = failure
    // The disk knows better what it has room for.
    if case .full(_, let max) = failure { sizeMax = min(sizeMax, max) * 9 / 10 }
    waiting = points + waiting
    waitingSince = waiting.isEmpty ? nil : waitingSince ?? now
    retryAt = now + CommitSchedule.retryDelay
    trim()
  }

  private mutating func erased(
    _ number: UInt32, _ failure: CommitFailure?, at now: Instant, into effects: inout [Effect]
  ) -> Erasure? {
    guard let wish = wishes.firstIndex(where: { $0.number == number }) else { return nil }
    let requester = wishes.remove(at: wish).requester
    if flight == .erase(number: number) { flight = nil }
    if failure == nil {
      index = []
      size = 0
      cell = nil
      retryAt = nil
      if settings != nil { condition = .open }
      effects.append(.log(.notice, "track: everything is erased"))
    } else if settings != nil {
      // What is on the disk now is looked at again.
      condition = .closed(reason: "\(failure.map { "\($0)" } ?? "")", retryAt: now)
    }
    pump(at: now, into: &effects)
    return Erasure(requester: requester, failure: failure)
  }

  // MARK: Writing

  private mutating func pump(at now: Instant, into effects: inout [Effect]) {
    guard let settings else { return }
    trim()
    guard condition == .open, flight == nil else { return }
    if waiting.isEmpty { isHurried = false }
    if let retryAt, now < retryAt, !isStopping || fault != nil { return }
    let isDue =
      waiting.count >= TrackStretch.countMax || (dueAt.map { $0 <= now } ?? false)
      || ((isStopping || isHurried) && fault == nil)
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
    lastNumber &+= 1
    flight = .commit(
      number: lastNumber,
      stretch: put.map {
        .init(
          number: nextStretch, size: $0.encodedSize,
          lastMilliseconds: points.last?.timeMilliseconds ?? 0)
      },
      points: points, removed: removed)
    if put != nil { nextStretch &+= 1 }
    waiting.removeFirst(points.count)
    waitingSince = waiting.isEmpty ? nil : now
    effects.append(.track(.commit(number: lastNumber, removals + (put.map { [$0] } ?? []))))
  }

  /// The numbers of stretches that are too old, and of the oldest ones that have to make room.
  ///
  /// Only a wall clock that somebody answers for says what is too old: a receiver may be years ahead for a while.
  private func removals(for added: Int) -> [UInt32] {
    let old = index.filter { $0.lastMilliseconds < cutoff ?? .min }
    var removed = Array(old.prefix(TrackKeeper.removalsMax).map(\.number))
    var rest = size - index.reduce(0) { $0 + (removed.contains($1.number) ? $1.size : 0) }
    for stretch in index where rest + added > sizeMax {
      guard removed.count < TrackKeeper.removalsMax else { break }
      guard !removed.contains(stretch.number) else { continue }
      removed.append(stretch.number)
      rest -= stretch.size
    }
    return removed
  }

  /// The oldest goes when too many wait.
  private mutating func trim() {
    let extra = waiting.count - TrackKeeper.waitingMax
    guard extra > 0 else { return }
    waiting.removeFirst(extra)
    counts.dropped &+= extra
  }
}
