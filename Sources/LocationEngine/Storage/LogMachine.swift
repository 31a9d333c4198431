import BinnacleBasics
import BinnacleModel
import StateLog

/// The state of one log: whether the log is open, whether its disk works, the order numbers, and the cost so far.
///
///     unread, opening --opened--> open
///     unread, opening --obstructed--> closed --deadlineReached--> opening
///
/// The machine is the same for each log; a keeper beside it decides what is written.
struct LogMachine: Equatable, Codable, Sendable {
  enum Condition: Equatable, Codable, Sendable {
    /// The log has not been read.
    case unread
    case open
    /// The log is closed; it is opened again at `retryAt`, or only an operator can help if `retryAt` is nil.
    case closed(reason: String, retryAt: Instant?)
    /// The log is being opened again.
    case opening(reason: String)
  }

  struct Counts: Equatable, Codable, Sendable {
    var commits = 0
    var failures = 0
    var compactions = 0
    var bytes = 0
    var flushes = 0
  }

  /// The first word of the log lines about this log.
  private let name: String
  private(set) var condition = Condition.unread
  /// Why the last commit failed, or the log could not be opened; nil without a fault.
  private(set) var fault: CommitFailure?
  private(set) var counts = Counts()
  private(set) var isStopping = false
  private var isHurried = false
  private var lastNumber: UInt32 = 0

  init(name: String) { self.name = name }

  var isOpen: Bool { condition == .open }

  /// Why the content of the log is unknown; nil when it is known.
  var obstacle: String? {
    switch condition {
    case .open: nil
    case .unread: "the log of \(name) is being read"
    case .closed(let reason, _), .opening(let reason): reason
    }
  }

  /// When the log is to be opened again; nil if it is open, or if only an operator can help.
  var reopensAt: Instant? {
    if case .closed(_, let retryAt) = condition { retryAt } else { nil }
  }

  /// Whether everything that waits is due: the daemon stops, or nothing is to be written for a while.
  ///
  /// After a failure, changes still wait for their time, so that the daemon's stop does not wait for a failed disk.
  var isUrgent: Bool { (isStopping || isHurried) && fault == nil }

  /// The number of the next order.
  mutating func nextNumber() -> UInt32 {
    lastNumber &+= 1
    return lastNumber
  }

  // MARK: Inputs

  mutating func stopRequested() { isStopping = true }

  mutating func writeAllRequested() { isHurried = true }

  /// Nothing waits any more.
  mutating func emptied() { isHurried = false }

  /// Whether the log is to be opened again now.
  mutating func deadlineReached(at now: Instant) -> Bool {
    guard case .closed(let reason, let retryAt?) = condition, retryAt <= now else { return false }
    condition = .opening(reason: reason)
    return true
  }

  mutating func opened(into effects: inout [Effect]) {
    if fault != nil { effects.append(.log(.notice, "\(name): the log is open again")) }
    condition = .open
    fault = nil
  }

  /// The log cannot be opened.
  mutating func obstructed(
    by obstacle: StateFault, at now: Instant, into effects: inout [Effect]
  ) {
    if fault == nil {
      effects.append(.log(.error, "\(name): nothing is kept: \(obstacle.text)"))
    }
    fault = .closed(obstacle.text)
    condition = .closed(
      reason: obstacle.text,
      retryAt: obstacle.kind == .passing ? now + StorageLimits.retryDelay : nil)
  }

  /// The content of the log is doubtful, so the log is read again.
  mutating func doubted(because reason: String, at now: Instant) {
    condition = .closed(reason: reason, retryAt: now)
  }

  /// The log was created again, empty: the disk takes writes.
  mutating func begunAnew(into effects: inout [Effect]) {
    condition = .open
    writesSucceeded(into: &effects)
  }

  /// The disk has written some bytes.
  mutating func written(_ receipt: CommitReceipt) {
    counts.bytes &+= receipt.bytesWritten
    counts.flushes &+= receipt.flushCount
    counts.compactions &+= receipt.isCompaction ? 1 : 0
  }

  /// A commit succeeded; it is counted if it changed anything.
  mutating func committed(isCounted: Bool, into effects: inout [Effect]) {
    if isCounted { counts.commits &+= 1 }
    writesSucceeded(into: &effects)
  }

  private mutating func writesSucceeded(into effects: inout [Effect]) {
    if fault != nil { effects.append(.log(.notice, "\(name): writing to the disk works again")) }
    fault = nil
  }

  mutating func failed(_ failure: CommitFailure, into effects: inout [Effect]) {
    counts.failures &+= 1
    if fault == nil { effects.append(.log(.error, "\(name): not written: \(failure)")) }
    fault = failure
  }
}
