import BinnacleBasics
import BinnacleModel

/// The updates that one app has begun and not ended: its open sequences, and sequences that a process left behind.
struct OutstandingApp: Equatable, Codable, Sendable {
  /// Sequences that have no process now.
  struct Absent: Equatable, Codable, Sendable {
    let configuration: LiveConfiguration
    var count: Int
    /// The sequence when its app left; nil if only its record is known.
    let sequence: LiveSequence?
    /// When the search for a position for this sequence began, in this run of the daemon.
    let searchedSince: Instant
    var wait: Wait
    var pause: Pause
  }

  /// The pause of a sequence without a process.
  enum Pause: Equatable, Codable, Sendable {
    /// The sequence did not pause.
    case none
    /// The dwell of the sequence is still judged.
    case watched(PauseMachine)
    /// The sequence paused; the rest of the board has not been checked since.
    case unwatched

    /// Whether the sequence paused.
    var isPaused: Bool {
      switch self {
      case .none: false
      case .watched(let machine): machine.isPausedOrOlder
      case .unwatched: true
      }
    }
  }

  enum Wait: Equatable, Codable, Sendable {
    /// The app is away; the wait ends at this time.
    case away(until: Instant)
    /// The app has connected, and may take the sequence up until this time.
    case back(until: Instant)
    /// The sequence waits until the app is started, without a time limit.
    case untilStarted

    var end: Instant? {
      switch self {
      case .away(let until), .back(let until): until
      case .untilStarted: nil
      }
    }
  }

  let id: AppID
  /// Whether updates of the absent app outlast `RejoinWindow`.
  private(set) var mayWait: Bool
  /// The open sequences of all its processes.
  private(set) var open = LiveUpdatesRecord()
  private(set) var absent: [Absent] = []
  /// The last written record.
  var written = LiveUpdatesRecord()
  /// Whether the log has no room for the record; the fault is logged once.
  var isUnkept = false
  /// When the app began to have fewer updates than its record.
  private var endedSince: Instant?
  /// When the whole commit burst of the app is available again.
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

  /// Whether this entry can be removed without a loss.
  func isIdle(at now: Instant) -> Bool {
    isEmpty && paidAt <= now
  }

  /// Whether no updates are outstanding and no record must be written.
  var isEmpty: Bool { open.isEmpty && absent.isEmpty && written.isEmpty }

  /// When an update lapses, or its wait for the app's start begins.
  var nextLapse: Instant? { absent.compactMap(\.wait.end).min() }

  // MARK: Inputs

  /// The log has this record of the app.
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

  /// The manifest has changed; an update that may no longer wait gets a new wait of `window`.
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

  /// The process that had connected has ended; what it did not take up waits for the next process.
  mutating func processEnded(at now: Instant, window: Interval) {
    for index in absent.indices {
      if case .back = absent[index].wait { absent[index].wait = .away(until: now + window) }
    }
  }

  /// A person has closed the app: all its updates end.
  mutating func end() {
    open = LiveUpdatesRecord()
    absent = []
  }

  /// The app begins a sequence; returns the absent sequence that the app takes up.
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

  /// The result of a wait that has ended.
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

  /// When the record must be written; nil if the record is up to date.
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

  /// The record is written now; returns the record.
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
