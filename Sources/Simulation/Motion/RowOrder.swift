import BinnacleBasics

/// Sorts the rows of a recording by their time, and counts its changes.
///
/// Loggers write two buffers out of order, give all rows of a burst one time, and count from zero again when their
/// clock is set.
public struct RowOrder: Equatable, Sendable {
  /// The number of rows that were changed in one way, and the line of the first.
  public struct Tally: Equatable, Sendable {
    public private(set) var count = 0
    public private(set) var firstLine = 0

    fileprivate mutating func count(_ line: Int) {
      if count == 0 { firstLine = line }
      count += 1
    }
  }

  /// A row that is at most this many rows late is sorted to its position.
  private static let reach = 64
  /// This many consecutive rows behind the others mean that the clock was set back.
  private static let restartRows = 16
  /// The maximum number of rows of a burst.
  private static let burstMax = 1_024
  /// The maximum duration of a burst.
  private static let burstSpanMax = Interval.seconds(1)

  /// The waiting rows, in the order of their time.
  private var pending: [MotionRow] = []
  /// Rows before the last delivered time: either late rows, or the first rows of a clock that was set back.
  private var behind: [MotionRow] = []
  private var given: Instant?
  /// The time that is added to the rows since the clock was set back.
  private var shift = Interval.zero

  /// Rows that were written after newer rows and sorted.
  public private(set) var sorted = Tally()
  /// Rows that shared one time and were spread over the time since the rows before.
  public private(set) var simultaneous = Tally()
  /// Rows at which the clock was set back.
  public private(set) var restarts = Tally()

  /// Takes a row in the order of the file.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - give: gets the rows that are in order.
  ///   - reject: gets the lines of rows that are too late for their position.
  mutating func take(_ row: MotionRow, give: (MotionRow) -> Void, reject: (Int) -> Void) {
    var row = row
    row.instant = row.instant + shift
    if let given, row.instant < given {
      behind.append(row)
      if behind.count == RowOrder.restartRows { restart(give) }
      return
    }
    for late in behind { reject(late.line) }
    behind.removeAll()
    insert(row)
    while pending.count > RowOrder.reach, releaseGroup(give, isLast: false) {}
  }

  /// Delivers the remaining rows.
  mutating func finish(give: (MotionRow) -> Void, reject: (Int) -> Void) {
    while releaseGroup(give, isLast: true) {}
    for late in behind { reject(late.line) }
    behind.removeAll()
  }

  private mutating func insert(_ row: MotionRow) {
    var place = pending.count
    while place > 0, pending[place - 1].instant > row.instant { place -= 1 }
    if place < pending.count { sorted.count(row.line) }
    pending.insert(row, at: place)
  }

  /// Handles a clock that was set back: the rows before the last delivered time follow after all others.
  private mutating func restart(_ give: (MotionRow) -> Void) {
    while releaseGroup(give, isLast: true) {}
    let rows = behind
    behind.removeAll()
    guard let first = rows.first, let last = rows.last, let given else { return }
    restarts.count(first.line)
    let span = Interval(nanoseconds: abs((last.instant - first.instant).nanoseconds))
    let step = Interval(nanoseconds: span.nanoseconds / Int64(rows.count - 1))
    let least = rows.map(\.instant).min() ?? first.instant
    let added = given + step - least
    shift = shift + added
    for var row in rows {
      row.instant = row.instant + added
      insert(row)
    }
  }

  /// Delivers the oldest rows that share a time; false when more of these rows may come, or there are none.
  private mutating func releaseGroup(_ give: (MotionRow) -> Void, isLast: Bool) -> Bool {
    guard let first = pending.first else { return false }
    let count = pending.firstIndex { $0.instant != first.instant } ?? pending.count
    if count == pending.count, !isLast, count < RowOrder.burstMax { return false }
    let group = pending[..<count]
    let samples = group.filter { $0.acceleration != nil }
    let span = min(first.instant - (given ?? first.instant), RowOrder.burstSpanMax)
    for (index, row) in samples.enumerated() {
      var row = row
      let missing = Int64(samples.count - 1 - index)
      row.instant =
        first.instant - Interval(nanoseconds: span.nanoseconds * missing / Int64(samples.count))
      if index > 0 { simultaneous.count(row.line) }
      give(row)
    }
    for row in group where row.acceleration == nil { give(row) }
    given = first.instant
    pending.removeFirst(count)
    return true
  }
}
