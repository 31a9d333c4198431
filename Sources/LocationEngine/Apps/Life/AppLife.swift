import BinnacleBasics
import BinnacleModel

/// The process of one app, as far as the launcher runs it.
///
///     absent --a person starts the app, or updates wait for it--> starting --the launcher has started it--> running
///     running --in the background, and nothing to do for its time--> noticed --noticeTime--> freezing --> frozen
///     noticed --something to do--> running
///     frozen --something to do--> thawing --> running: the waiting updates are delivered
///     every state but absent --the first process ends--> absent
///
/// ``LifeTable`` knows whether an app has something to do. Each change of state that the launcher carries out waits for the
/// launcher's answer.
struct AppLife: Equatable, Codable, Sendable {
  enum State: Equatable, Codable, Sendable {
    /// The launcher does not run the app.
    case absent
    /// The launcher was ordered to start the app.
    case starting
    case running
    /// The app runs, and was informed that it is suspended in a moment.
    case noticed(until: Instant)
    /// The launcher was ordered to freeze the app.
    case freezing
    case frozen(since: Instant)
    /// The launcher was ordered to let the app continue.
    case thawing
  }

  let app: AppID
  private(set) var state = State.absent
  /// Until when the app runs in the background without another reason.
  private(set) var busyUntil = Instant.zero
  /// When the app's present process was started, or was found running.
  private(set) var startedAt = Instant.zero
  /// When the app is killed because it has not ended as ordered; nil: no end was ordered.
  private(set) var killAt: Instant?
  /// Whether the present process has opened updates or made a session.
  private(set) var hasOpened = false
  /// A person has closed the app: nothing launches it until a person starts it.
  private(set) var isQuit = false
  /// Sessions of an earlier run wait for the app from this instant on; nil: none.
  var recalledUntil: Instant?
  /// No order about freezing is given before this instant, because the launcher has refused the last one.
  private var refusedUntil = Instant.zero
  /// Until when a background task of the app postpones the suspension; nil: no suspension is due.
  private var taskUntil: Instant?
  private var isEndedForMemory = false
  private(set) var pace = LaunchPace()
  var queue = UpdateQueue()
  /// Why the app does not run, or why the last order was refused; nil: nothing has happened.
  private(set) var lastEnd: String?
  /// The client that waits for the start or the end of the app.
  var requester = Requester.engine

  /// The time between the notice to the app and its suspension.
  static let noticeTime = Interval.seconds(1)
  /// The time that an app has to end after SIGTERM.
  static let endTime = Interval.seconds(5)
  /// The most time by which a background task postpones a suspension.
  static let taskTimeMax = Interval.seconds(30)
  /// The wait after an order that the launcher has refused.
  static let refusalPause = Interval.seconds(30)

  init(app: AppID) {
    self.app = app
  }

  /// Whether the launcher runs a process of the app.
  var isRunning: Bool {
    switch state {
    case .absent, .starting: false
    case .running, .noticed, .freezing, .frozen, .thawing: true
    }
  }

  /// Whether the processes stand still, or are about to.
  var isSuspended: Bool {
    switch state {
    case .absent, .starting, .running, .noticed: false
    case .freezing, .frozen, .thawing: true
    }
  }

  /// Whether the app was informed that it is suspended in a moment.
  var isNoticed: Bool { if case .noticed = state { true } else { false } }

  /// Whether a person has closed the app, and the app has not ended yet.
  var isPendingClose: Bool { isQuit && killAt != nil }

  // MARK: Decisions

  /// The present needs of the app, for ``settle(_:at:)``.
  struct Needs {
    /// The app is in the foreground or in use for a moment, or a process of it does not belong to the launcher.
    var mustRun: Bool
    /// The app holds a background task.
    var hasTask: Bool
    /// From when on the app may be resumed for waiting updates; nil: not for updates.
    var resumesAt: Instant?
    /// The app may be launched: it has the right to updates in the background, and no process.
    var mayLaunch: Bool
  }

  /// Decides the next order to the launcher; nil: no order.
  mutating func settle(_ needs: Needs, at now: Instant) -> Effect.Launcher? {
    let isDue = (needs.mustRun || busyUntil > now) && killAt == nil
    switch state {
    case .absent:
      // After the daemon's start the app's process may come by itself.
      let isWanted = recalledUntil.map { $0 <= now } ?? !queue.isEmpty
      guard needs.mayLaunch, isWanted, !isQuit, pace.nextLaunch <= now else { return nil }
      return start(isForLocation: true)
    case .running:
      if isDue {
        taskUntil = nil
      } else if killAt == nil, refusedUntil <= now, !isPostponed(by: needs.hasTask, at: now) {
        state = .noticed(until: now + AppLife.noticeTime)
      }
      return nil
    case .noticed(let until):
      // The notice is the moment at which an app begins a task.
      if isDue || killAt != nil || isPostponed(by: needs.hasTask, at: now) {
        state = .running
        return nil
      }
      guard until <= now else { return nil }
      state = .freezing
      return .freeze
    case .frozen:
      let isWoken = isDue || (!queue.isEmpty && needs.resumesAt.map { $0 <= now } ?? false)
      guard isWoken, refusedUntil <= now else { return nil }
      state = .thawing
      return .thaw
    case .starting, .freezing, .thawing: return nil
    }
  }

  /// When ``settle(_:at:)`` may decide anew without an event; nil: not before the next event.
  func nextDeadline(_ needs: Needs) -> Instant? {
    let ofState: Instant? =
      switch state {
      case .absent:
        if !needs.mayLaunch || isQuit {
          nil
        } else if let recalledUntil {
          max(recalledUntil, pace.nextLaunch)
        } else {
          queue.isEmpty ? nil : pace.nextLaunch
        }
      case .running where needs.mustRun || killAt != nil: nil
      case .running: max(needs.hasTask ? taskUntil ?? busyUntil : busyUntil, refusedUntil)
      case .noticed(let until): until
      case .frozen: queue.isEmpty ? nil : needs.resumesAt.map { max($0, refusedUntil) }
      case .starting, .freezing, .thawing: nil
      }
    return earlier(ofState, killAt)
  }

  /// Begins a launch.
  mutating func start(isForLocation: Bool) -> Effect.Launcher {
    state = .starting
    if !isForLocation {
      (isQuit, killAt) = (false, nil)
      pace.startedByPerson()
    }
    return .start(isForLocation: isForLocation)
  }

  /// A person closes the app; returns the order, nil without a process.
  ///
  /// Without a launcher the app may have a process that the daemon does not know, so its close is pending until a launcher
  /// reports the apps that run.
  mutating func quit(isConnected: Bool, at now: Instant) -> Effect.Launcher? {
    isQuit = true
    recalledUntil = nil
    queue.removeAll()
    guard isRunning || state == .starting || !isConnected else { return nil }
    return close(at: now, isConnected: isConnected)
  }

  /// Orders the end of the app; nil without a launcher, and when the app is killed at once.
  ///
  /// The launcher lets a suspended app continue, so that the app gets the signal.
  mutating func close(at now: Instant, isConnected: Bool = true) -> Effect.Launcher? {
    if let killAt, killAt <= now { return nil }
    killAt = now + AppLife.endTime
    return isConnected ? .end : nil
  }

  /// The manifest of the app was removed; returns the order, nil without a process, and when the end of the app is ordered already.
  mutating func undeclared(at now: Instant) -> Effect.Launcher? {
    recalledUntil = nil
    queue.removeAll()
    guard isRunning || state == .starting, killAt == nil else { return nil }
    return close(at: now)
  }

  /// A person has closed the app in an earlier run of the daemon: it is killed as soon as the launcher reports it.
  mutating func recallClose(at now: Instant) {
    isQuit = true
    killAt = now
  }

  /// Kills the app if it has not ended as ordered.
  mutating func killIfDue(at now: Instant) -> Effect.Launcher? {
    guard let due = killAt, due <= now else { return nil }
    killAt = now + AppLife.endTime
    return .kill
  }

  /// The present process has opened updates or made a session.
  mutating func opened() { hasOpened = true }

  /// The client that waits for the app; it counts as answered after the call.
  mutating func takeRequester() -> Requester {
    defer { requester = .engine }
    return requester
  }

  /// A program that the launcher has not started is the app now, so a person has started it.
  mutating func appearedByItself() {
    isQuit = false
    recalledUntil = nil
    // The process that a person has closed in an earlier run has ended.
    if state == .absent { killAt = nil }
  }

  /// The app does something until this instant.
  mutating func keepRunning(until end: Instant) {
    guard end > busyUntil else { return }
    busyUntil = end
    // Also while no launcher is connected, so that a task then begins its time anew.
    taskUntil = nil
  }

  // MARK: Answers of the launcher

  /// The launcher has carried out a start.
  mutating func started(busyUntil end: Instant, at now: Instant) {
    pace.launched(at: now)
    begin(busyUntil: end, at: now)
  }

  private mutating func begin(busyUntil end: Instant, at now: Instant) {
    state = .running
    startedAt = now
    // A refused launch leaves the recall as it is, so that the launch is tried again.
    recalledUntil = nil
    keepRunning(until: end)
  }

  /// The launcher reports the app as running although the daemon did not know it.
  mutating func found(isFrozen: Bool, busyUntil end: Instant, at now: Instant) {
    switch (state, isFrozen) {
    case (.frozen, true), (.running, false), (.noticed, false): return
    case (_, true):
      state = .frozen(since: now)
      // The suspension was carried out, although its answer was lost.
      refusedUntil = .zero
    case (.absent, false), (.starting, false):
      begin(busyUntil: end, at: now)
    case (_, false):
      state = .running
      keepRunning(until: end)
    }
    if startedAt == .zero { startedAt = now }
    recalledUntil = nil
  }

  /// Without a launcher no app is suspended, so a notice has no consequence.
  mutating func launcherLost() {
    if isNoticed { state = .running }
  }

  mutating func frozen(at now: Instant) {
    if isRunning { state = .frozen(since: now) }
  }

  mutating func thawed(busyUntil end: Instant) {
    guard isRunning else { return }
    state = .running
    keepRunning(until: end)
  }

  /// An order was not carried out.
  mutating func refused(_ order: Effect.Launcher, reason: String, at now: Instant) {
    lastEnd = "\(reason)"
    switch (order, state) {
    case (.start, .starting):
      state = .absent
      pace.refused(at: now)
      // No process is left to end.
      killAt = nil
    case (.freeze, .freezing):
      state = .running
      refusedUntil = now + AppLife.refusalPause
    case (.thaw, .thawing):
      state = .frozen(since: now)
      refusedUntil = now + .seconds(1)
    // The memory is read again in a moment.
    case (.kill, _) where isEndedForMemory && !isQuit: (isEndedForMemory, killAt) = (false, nil)
    case _: break
    }
  }

  // MARK: Time for tasks, and memory

  /// The suspension waits for a background task of the app, at most ``taskTimeMax`` long.
  private mutating func isPostponed(by hasTask: Bool, at now: Instant) -> Bool {
    guard hasTask else {
      taskUntil = nil
      return false
    }
    let end = taskUntil ?? now + AppLife.taskTimeMax
    taskUntil = end
    return end > now
  }

  /// Ends the suspended app, because memory is short.
  mutating func endForMemory(at now: Instant) -> Effect.Launcher {
    isEndedForMemory = true
    killAt = now + AppLife.endTime
    return .kill
  }

  /// The first process has ended.
  mutating func ended(_ ending: Event.AppEnding, at now: Instant) {
    lastEnd =
      isQuit
      ? "closed by a person"
      : isEndedForMemory ? "was ended, because the board's memory was short" : ending.inWords
    pace.ended(after: startedAt, at: now)
    state = .absent
    hasOpened = false
    (killAt, busyUntil, refusedUntil, taskUntil) = (nil, .zero, .zero, nil)
    isEndedForMemory = false
  }
}
