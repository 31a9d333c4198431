import BinnacleBasics
import BinnacleModel

/// What one app has begun and not ended: what it has open, and what went with it when it ended without a word.
struct OutstandingApp: Equatable, Codable, Sendable {
  /// Sequences that nobody holds at the moment.
  struct Absent: Equatable, Codable, Sendable {
    let configuration: LiveConfiguration
    var count: Int
    /// As it was when its app went; nil when it is known from the record only.
    let sequence: LiveSequence?
    /// Since when a position is looked for on its behalf, in this run of the daemon.
    let searchedSince: Instant
    var wait: Wait
    var pause: Pause
  }

  /// What is known of its pause.
  enum Pause: Equatable, Codable, Sendable {
    /// It did not pause.
    case none
    /// Its dwell goes on being judged for it.
    case watched(PauseMachine)
    /// It paused, and nobody has looked since whether the board still rests.
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
    /// The app is away.
    case away(until: Instant)
    /// The app has come back, and has until then to take it up.
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
  /// Whether what it has begun outlasts `RejoinWindow` while it is away.
  private(set) var mayWait: Bool
  /// What its processes have open, all together.
  private(set) var open = LiveUpdatesRecord()
  private(set) var absent: [Absent] = []
  /// What was given to the log last.
  var written = LiveUpdatesRecord()
  /// Whether the log has no room for it; that is said once.
  var isUnkept = false
  /// Since when there is less than the log says.
  private var endedSince: Instant?
  /// When all of its commits are paid for.
  private var paidAt = Instant.zero
  private(set) var rejoinedCount = 0
  private(set) var lapsedCount = 0

  init(id: AppID, mayWait: Bool) {
    self.id = id
    self.mayWait = mayWait
  }

  /// All that is outstanding.
  var outstanding: LiveUpdatesRecord {
    var all = open
    for one in absent { all[one.configuration] += one.count }
    return all
  }

  /// What has gone with its processes.
  var awaited: LiveUpdatesRecord {
    var all = LiveUpdatesRecord()
    for one in absent { all[one.configuration] += one.count }
    return all
  }

  /// Whether nothing would be lost by forgetting it.
  func isIdle(at now: Instant) -> Bool {
    isEmpty && paidAt <= now
  }

  /// Whether nothing is outstanding or to be written.
  var isEmpty: Bool { open.isEmpty && absent.isEmpty && written.isEmpty }

  /// When something is to be taken for lapsed, or waits longer.
  var nextLapse: Instant? { absent.compactMap(\.wait.end).min() }

  // MARK: What happens to it

  /// The log says that this is outstanding.
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

  /// Its manifest says something else now; what no longer may wait has as long as if it had gone now.
  mutating func permit(_ mayWait: Bool, at now: Instant, window: Interval) {
    self.mayWait = mayWait
    guard !mayWait else { return }
    for index in absent.indices where absent[index].wait == .untilStarted {
      absent[index].wait = .away(until: now + window)
    }
  }

  /// One of its processes has come.
  mutating func connected(at now: Instant, window: Interval) {
    for index in absent.indices {
      switch absent[index].wait {
      case .away, .untilStarted: absent[index].wait = .back(until: now + window)
      case .back: continue
      }
    }
  }

  /// It begins a sequence; answers the one that it takes up.
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

  /// It ends a sequence.
  mutating func closed(_ configuration: LiveConfiguration, at now: Instant) {
    open[configuration] -= 1
    noteEnding(at: now)
  }

  /// The process that held a sequence went without ending it.
  mutating func left(_ sequence: LiveSequence, at now: Instant, window: Interval) {
    let configuration = sequence.configuration
    open[configuration] -= 1
    absent.append(
      Absent(
        configuration: configuration, count: 1, sequence: sequence, searchedSince: now,
        wait: .away(until: now + window), pause: .watched(sequence.pause)))
  }

  /// What became of that whose time is over.
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

  /// When the log is to be told; nil when it says what there is.
  var nextWrite: Instant? {
    if isUnkept { return nil }
    let turn =
      paidAt - StorageLimits.sequencesCommitPeriod * (StorageLimits.sequencesCommitBurst - 1)
    let outstanding = outstanding
    guard outstanding != written else { return nil }
    // What is more than the log says is written at once.
    guard written.covers(outstanding) else { return turn }
    return max(turn, (endedSince ?? .zero) + StorageLimits.sequencesEndingDelay)
  }

  /// The log is told now; answers what.
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
