import BinnacleBasics
import BinnacleModel
import LocationEngine

/// The life of one app by the rules of Docs/APPS.md, from the events that the daemon gets and the orders that the
/// daemon gives.
struct LifeAccount: Sendable {
  enum Process: Equatable, Sendable {
    case absent
    case starting(byPerson: Bool)
    case running
    case freezing
    case frozen(since: Instant)
    case thawing
  }

  /// A location that the app had a right to at its time, and has not got.
  struct Owed: Sendable {
    let configuration: LiveConfiguration
    let time: UTCTime
    /// Whether the location may be missing: the queue is full, or the daemon has ended since.
    var mayBeMissing = false
  }

  /// A sequence that a process has left behind.
  struct Away: Sendable {
    enum Wait: Equatable, Sendable {
      case away(until: Instant)
      case back(until: Instant)
      case untilStarted
    }

    let configuration: LiveConfiguration
    var wait: Wait
  }

  /// A sequence of a connected process.
  struct Open: Sendable {
    let id: SequenceID
    let configuration: LiveConfiguration
    /// Whether the sequence waits for the next process when this one ends.
    var isOutstanding: Bool
    var lastTime: UTCTime?
    /// Whether the last update was a reason for a missing location.
    var isRefused = false
  }

  struct Client: Sendable {
    let id: ClientID
    let isLaunched: Bool
    var open: [Open] = []
    /// The phase that the client was informed of, and when.
    var phase: (AppPhase, at: Instant)?
    var watchesSince: Instant?
  }

  /// Whether an absent app waits for its start without a limit.
  let waitsForGood: Bool
  var process = Process.absent
  var startedAt: Instant?
  /// Until when nothing but a person suspends the app.
  var busyUntil = Instant.zero
  var clients: [Client] = []
  var away: [Away] = []
  private(set) var owed: [Owed] = []
  /// The locations of the last seconds that the app got, or that its sequences no longer wait for.
  private var recent: [(owed: Owed, at: Instant)] = []
  /// When a person has closed the app; nil since the app was started again.
  var closedAt: Instant?
  /// Whether a person has brought a process of the closed app, which the launcher does not run, to the foreground.
  var isBroughtBack = false
  /// When the app must be killed, because it has not ended as ordered.
  var killDue: Instant?
  /// Whether a person has closed the app, and its process has not ended yet.
  var isEnding = false
  /// Whether the last daemon ended before the process of the closed app had ended.
  private(set) var wasUnended = false
  var launches = LaunchLedger()
  /// Whether a session waits since the daemon's start, and no process has come.
  var isRecalled = false
  /// Whether the present process has opened a sequence or made a session.
  private(set) var hasOpened = false
  /// Since when the launcher must be ordered to resume or to launch the app.
  var dueSince: Instant?

  /// The time within which changes are on the disk.
  static let keepingMax = Interval.seconds(2)

  init(waitsForGood: Bool) {
    self.waitsForGood = waitsForGood
  }

  /// Whether the launcher runs a process of the app, as far as the daemon knows.
  var isRunning: Bool {
    switch process {
    case .absent, .starting: false
    case .running, .freezing, .frozen, .thawing: true
    }
  }

  var isSuspended: Bool {
    switch process {
    case .absent, .starting, .running: false
    case .freezing, .frozen, .thawing: true
    }
  }

  /// Whether a person has closed the app, has not started it again since, and its process has not ended yet.
  var isUnended: Bool { isEnding && closedAt != nil }

  var isOwed: Bool { owed.contains { !$0.mayBeMissing } }

  // MARK: Locations

  /// The app has a right to this location.
  mutating func owe(
    _ time: UTCTime, _ configuration: LiveConfiguration, countMax: Int, mayBeMissing: Bool = false
  ) {
    if owed.contains(where: { $0.configuration == configuration && $0.time == time }) { return }
    owed.append(Owed(configuration: configuration, time: time, mayBeMissing: mayBeMissing))
    // Updates without a location take some of the places.
    let excess = owed.count - max(1, countMax - 8)
    if excess > 0 { for index in owed.indices.prefix(excess) { owed[index].mayBeMissing = true } }
    // Two configurations may share an entry, and a record of a minute comes back whole after the end of the daemon.
    if owed.count > 2 * countMax + 240 { owed.removeFirst() }
  }

  /// A location is delivered; returns the broken rule.
  ///
  /// `isPresent` is true for the newest location, with which a new sequence begins.
  mutating func delivered(
    _ time: UTCTime, to id: SequenceID, of client: Int, isPresent: Bool, at now: Instant
  ) -> String? {
    guard let index = clients[client].open.firstIndex(where: { $0.id == id }) else {
      return "a location for a sequence that is closed"
    }
    let open = clients[client].open[index]
    recent.removeAll { now - $0.at > LifeAccount.keepingMax }
    recent.append(
      (Owed(configuration: open.configuration, time: time, mayBeMissing: true), at: now))
    clients[client].open[index].lastTime = time
    clients[client].open[index].isRefused = false
    if let last = open.lastTime, time <= last { return "a location out of order" }
    guard
      let place = owed.firstIndex(where: {
        $0.configuration == open.configuration && $0.time == time
      })
    else { return isPresent ? nil : "a location from a time without a right to it" }
    let isLost = owed[..<place].contains {
      $0.configuration == open.configuration && !$0.mayBeMissing
    }
    owed = owed.enumerated().filter {
      $0.offset > place || $0.element.configuration != open.configuration
    }.map(\.element)
    return isLost ? "a location was lost" : nil
  }

  /// An app that runs has got everything now; returns the broken rule.
  mutating func checkNothingWaits() -> String? {
    if isSuspended || owed.isEmpty { return nil }
    var isMissing = false
    let isAwake = process == .running
    for open in clients.filter({ isAwake || !$0.isLaunched }).flatMap(\.open) {
      isMissing =
        isMissing || owed.contains { $0.configuration == open.configuration && !$0.mayBeMissing }
      owed.removeAll { $0.configuration == open.configuration }
    }
    return isMissing ? "a location has not reached an app that runs" : nil
  }

  /// The app may not have locations any more, or its person has closed it.
  mutating func forgetLocations() { owed = [] }

  /// The app is closed by a person: no process takes up what its sequences leave.
  mutating func endUpdates() {
    owed = []
    away = []
    set(outstanding: false)
  }

  /// The open sequences wait for the next process when their process ends, or do not.
  ///
  /// A sequence that waits from now on takes up one that was left behind.
  mutating func set(outstanding isOutstanding: Bool) {
    for client in clients.indices {
      for index in clients[client].open.indices {
        let open = clients[client].open[index]
        if isOutstanding, !open.isOutstanding {
          away.removeAll { $0.configuration == open.configuration }
        }
        clients[client].open[index].isOutstanding = isOutstanding
      }
    }
  }

  /// The launcher has started the app.
  mutating func started(at now: Instant, window: Interval) {
    (process, startedAt, isRecalled) = (.running, now, false)
    busyUntil = max(busyUntil, now + window)
    launches.launched(at: now)
  }

  /// Notes whether a process that the launcher has started opens a sequence or makes a session.
  mutating func notesOpening(_ event: Event.Client, by client: Int) {
    guard clients[client].isLaunched else { return }
    switch event {
    case .updatesOpened: hasOpened = true
    case .sessionOpened(_, let session) where session.isSession: hasOpened = true
    case _: break
    }
  }

  /// A person has started a process of the app; one that the launcher still runs is ended nevertheless.
  mutating func startedByPerson() {
    closedAt = nil
    if process == .absent { (isEnding, killDue) = (false, nil) }
  }

  /// The end of the daemon: the locations that waited are in its memory, so the app may or may not get them.
  ///
  /// The locations of the last moments may come again, because they are removed from the disk afterwards.
  mutating func daemonEnded(at now: Instant) {
    for index in owed.indices { owed[index].mayBeMissing = true }
    owed = recent.filter { now - $0.at <= LifeAccount.keepingMax }.map(\.owed) + owed
    recent = []
    wasUnended = isUnended
    (process, startedAt, busyUntil, isEnding) = (.absent, nil, .zero, false)
    (clients, away, killDue, dueSince, hasOpened) = ([], [], nil, nil, false)
    launches = LaunchLedger()
  }

  // MARK: Sequences

  /// A process opens a sequence, which takes up one that was left behind.
  mutating func opened(
    _ id: SequenceID, _ configuration: LiveConfiguration, by client: Int, isAllowed: Bool
  ) {
    clients[client].open.append(
      Open(id: id, configuration: configuration, isOutstanding: isAllowed))
    if isAllowed { away.removeAll { $0.configuration == configuration } }
  }

  mutating func closed(_ id: SequenceID, by client: Int, at now: Instant) {
    guard let index = clients[client].open.firstIndex(where: { $0.id == id }) else { return }
    drop(clients[client].open.remove(at: index).configuration, at: now)
  }

  /// No sequence of a configuration waits any more.
  private mutating func drop(_ configuration: LiveConfiguration, at now: Instant) {
    for var dropped in owed where dropped.configuration == configuration {
      dropped.mayBeMissing = true
      recent.append((dropped, at: now))
    }
    owed.removeAll { $0.configuration == configuration }
  }

  mutating func left(_ client: Int, at now: Instant, window: Interval) {
    for open in clients.remove(at: client).open {
      if open.isOutstanding {
        away.append(Away(configuration: open.configuration, wait: .away(until: now + window)))
      } else {
        drop(open.configuration, at: now)
      }
    }
  }

  /// A process may take up what was left behind; a launched process is not suspended before the end of that time.
  mutating func connected(at now: Instant, window: Interval, isLaunched: Bool = false) {
    if isLaunched, !away.isEmpty { keepRunning(until: now + window) }
    for index in away.indices {
      if case .back = away[index].wait { continue }
      away[index].wait = .back(until: now + window)
    }
  }

  mutating func keepRunning(until end: Instant) { busyUntil = max(busyUntil, end) }

  mutating func ended(hasRefused: Bool, at now: Instant, window: Interval) {
    (isEnding, isRecalled, hasOpened) = (false, false, false)
    if hasRefused { return connected(at: now, window: window) }
    for index in away.indices {
      if case .back = away[index].wait { away[index].wait = .away(until: now + window) }
    }
  }

  mutating func timePasses(to now: Instant) {
    for index in away.indices.reversed() {
      let isOver: Bool
      switch away[index].wait {
      case .away(let until):
        guard until <= now else { continue }
        isOver = !waitsForGood
        if waitsForGood { away[index].wait = .untilStarted }
      case .back(let until): isOver = until <= now
      case .untilStarted: continue
      }
      guard isOver else { continue }
      let configuration = away.remove(at: index).configuration
      // A process that was denied before may have opened a sequence of its own meanwhile, or have left it behind.
      let isOpen = clients.contains { $0.open.contains { $0.configuration == configuration } }
      if isOpen || away.contains(where: { $0.configuration == configuration }) { continue }
      drop(configuration, at: now)
    }
  }
}
