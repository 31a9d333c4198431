import BinnacleBasics
import BinnacleModel

/// The updates that one app has begun and not ended: its open sequences, and those that a process left behind.
struct OutstandingApp: Equatable, Codable, Sendable {
  /// Sequences without a process at the moment.
  struct Absent: Equatable, Codable, Sendable {
    let configuration: LiveConfiguration
    var count: Int
    /// The sequence when its app left; nil when only its record is known.
    let sequence: LiveSequence?
    /// When the search for a position on its behalf began, in this run of the daemon.
    let searchedSince: Instant
    var wait: Wait
    var pause: Pause
  }

  /// The state of its pause.
  enum Pause: Equatable, Codable, Sendable {
    /// It did not pause.
    case none
    /// Its dwell is still judged.
    case watched(PauseMachine)
    /// It paused, and whether the board still rests was not checked since.
    case unwatched

    /// Whether it paused.
    var isPaused: Bool {
      switch self {
      case .none: false
      case .watched(let machine): machine.isPausedOrOlder
      case .unwatched: true
      }
    }
  }

  enum Wait: Equatable, Codable, Sendable {
    /// The app is away, until then.
    case away(until: Instant)
    /// The app has come back, and may take the sequence up until then.
    case back(until: Instant)
    /// Until the app is started, however long that takes.
    case untilStarted

    var end: Instant? {
      switch self {
      case .away(let until), .back(let until): until
      case .untilStarted: nil
      }
    }
  }

  let id: AppID
  /// Whether its updates outlast `RejoinWindow` while it is away.
  private(set) var mayWait: Bool
  /// The open sequences of all its processes.
  private(set) var open = LiveUpdatesRecord()
  private(set) var absent: [Absent] = []
  /// The record that was last written.
  var written = LiveUpdatesRecord()
  /// Whether the log has no room for it; that is logged once.
  var isUnkept = false
  /// When it began to have less than its record.
  private var endedSince: Instant?
  /// When all of its commits are paid for.
  private var paidAt = Instant.zero
  private(set) var rejoinedCount = 0
  private(set) var lapsedCount = 0

  init(id: AppID, mayWait: Bool) {
    self.id = id
    self.mayWait = mayWait
  }

  /// All outstanding updates.
  var outstanding: LiveUpdatesRecord {
    var all = open
    for one in absent { all[one.configuration] += one.count }
    return all
  }

  /// The updates without a process.
  var awaited: LiveUpdatesRecord {
    var all = LiveUpdatesRecord()
    for one in absent { all[one.configuration] += one.count }
    return all
  }

  /// Whether it can be forgotten without a loss.
  func isIdle(at now: Instant) -> Bool {
    isEmpty && paidAt <= now
  }

  /// Whether nothing is outstanding or to be written.
  var isEmpty: Bool { open.isEmpty && absent.isEmpty && written.isEmpty }

  /// When an update lapses, or begins to wait for the app's start.
  var nextLapse: Instant? { absent.compactMap(\.wait.end).min() }

  // MARK: What happens to it

  /// The log has this record.
  mutating func recalled(
    _ record: LiveUpdatesRecord, _ rest: RestRecord?, at now: Instant, window: Interval
  ) {
    written = record
    for configuration in LiveConfiguration.allCases where record[configuration] > 0 {
      absent.append(
        Absent(
          configuration: configuration, count: record[configuration], sequence: nil,
          searchedSince: now, wait: .away(until: now + window),
          pause: rest?.contains(configuration) == true ? .unwatched : .none))
    }
    noteEnding(at: now)
  }

  /// The manifest has changed; an update that may not wait any more has as long as if its app left now.
  mutating func permit(_ mayWait: Bool, at now: Instant, window: Interval) {
    self.mayWait = mayWait
    guard !mayWait else { return }
    for index in absent.indices where absent[index].wait == .untilStarted {
      absent[index].wait = .away(until: now + window)
    }
  }

  /// A process of the app has connected.
  mutating func connected(at now: Instant, window: Interval) {
    for index in absent.indices {
      switch absent[index].wait {
      case .away, .untilStarted: absent[index].wait = .back(until: now + window)
      case .back: continue
      }
    }
  }

  /// The app begins a sequence; answers the absent one that it takes up.
  mutating func opened(_ configuration: LiveConfiguration, at now: Instant) -> Absent? {
    open[configuration] += 1
    defer { noteEnding(at: now) }
    guard let index = absent.firstIndex(where: { $0.configuration == configuration }) else {
      return nil
    }
    let found = absent[index]
    absent[index].count -= 1
    if absent[index].count == 0 { absent.remove(at: index) }
    rejoinedCount += 1
    return found
  }

  /// The app ends a sequence.
  mutating func closed(_ configuration: LiveConfiguration, at now: Instant) {
    open[configuration] -= 1
    noteEnding(at: now)
  }

  /// The process of a sequence left without ending it.
  mutating func left(_ sequence: LiveSequence, at now: Instant, window: Interval) {
    let configuration = sequence.configuration
    open[configuration] -= 1
    absent.append(
      Absent(
        configuration: configuration, count: 1, sequence: sequence, searchedSince: now,
        wait: .away(until: now + window), pause: .watched(sequence.pause)))
  }

  /// The result of a wait that is over.
  enum Verdict: Equatable {
    case lapsed(LiveUpdatesRecord)
    case waits(LiveUpdatesRecord)
  }

  mutating func timePassed(at now: Instant) -> [Verdict] {
    var lapsed = LiveUpdatesRecord()
    var waiting = LiveUpdatesRecord()
    for index in absent.indices.reversed() {
      guard let end = absent[index].wait.end, end <= now else { continue }
      let configuration = absent[index].configuration
      if mayWait, case .away = absent[index].wait {
        absent[index].wait = .untilStarted
        absent[index].pause = absent[index].pause.isPaused ? .unwatched : .none
        waiting[configuration] += absent[index].count
      } else {
        lapsed[configuration] += absent[index].count
        lapsedCount += absent[index].count
        absent.remove(at: index)
      }
    }
    noteEnding(at: now)
    return (lapsed.isEmpty ? [] : [.lapsed(lapsed)]) + (waiting.isEmpty ? [] : [.waits(waiting)])
  }

  // MARK: Writing

  /// When its record is to be written; nil when the record is right.
  var nextWrite: Instant? {
    if isUnkept { return nil }
    let turn =
      paidAt - StorageLimits.sequencesCommitPeriod * (StorageLimits.sequencesCommitBurst - 1)
    let outstanding = outstanding
    guard outstanding != written else { return nil }
    // Updates beyond the record are written at once.
    guard written.covers(outstanding) else { return turn }
    return max(turn, (endedSince ?? .zero) + StorageLimits.sequencesEndingDelay)
  }

  /// The record is written now; answers it.
  mutating func write(at now: Instant) -> LiveUpdatesRecord {
    paidAt = max(paidAt, now) + StorageLimits.sequencesCommitPeriod
    written = outstanding
    endedSince = nil
    return written
  }

  private mutating func noteEnding(at now: Instant) {
    guard outstanding != written else {
      endedSince = nil
      return
    }
    endedSince = endedSince ?? now
  }
}
