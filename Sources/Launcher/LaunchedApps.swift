import BinnacleBasics
public import BinnaclePosix
import Glibc
import LaunchWire

/// All apps of the launcher: starts, freezes and ends them, and reports their ends and their output.
///
/// Nothing waits here, except for system calls: the kernel reports each change by a descriptor.
public final class LaunchedApps {
  /// Something to send, or to do after the earlier outcomes were sent.
  enum Outcome: Equatable {
    case answer(LaunchTicket, LaunchReport.Answer)
    /// News for the daemon that attends.
    case news(LaunchReport)
    /// Lets the program of a new app run.
    case run(String)
  }

  /// The kernel freezes a group at once, unless a process of it is inside a driver.
  static let freezeTimeMax = Interval.seconds(2)
  /// The other processes of an app that has ended are killed within this time, else its end is reported without.
  static let killTimeMax = Interval.seconds(2)
  /// The wait after a record that could not be written.
  static let recordPause = Interval.seconds(10)

  let programs: AppPrograms
  let folder: LaunchFolder
  /// nil: apps are frozen and killed by signals to their sessions.
  let place: ControlGroupPlace?
  let complain: (String) -> Void
  var apps: [LaunchedApp] = []
  private(set) var outcomes: [Outcome] = []
  /// The number of the connection that gets news; nil while no daemon attends.
  private var attendant: UInt64?

  /// - Parameters:
  ///   - configurationDirectory: the directory that contains `apps.d`.
  ///   - runtimeDirectory: the directory of the launcher's socket and of its folder.
  ///   - place: the control group that gets a group for each app; nil if there is none.
  ///   - complain: gets each problem, one line.
  /// - Throws: why the launcher's folder cannot be made.
  public init(
    configurationDirectory: String, runtimeDirectory: String, place: ControlGroupPlace?,
    complain: @escaping (String) -> Void
  ) throws(SystemError) {
    programs = AppPrograms(
      configurationDirectory: configurationDirectory, runtimeDirectory: runtimeDirectory,
      mayChangeUser: Users.mayChange, userID: Environment.userID)
    folder = try LaunchFolder(runtimeDirectory: runtimeDirectory)
    self.place = place
    self.complain = complain
    takeOver()
  }

  func takeOutcomes() -> [Outcome] {
    defer { outcomes.removeAll(keepingCapacity: true) }
    return outcomes
  }

  /// The next time at which an app needs the launcher without an event.
  var nextDeadline: Instant? { apps.reduce(nil) { earlier($0, $1.nextDeadline) } }

  // MARK: Requests

  func take(
    _ order: LaunchRequest.AppOrder, about identifier: String, _ ticket: LaunchTicket,
    at now: Instant
  ) {
    let app = apps.first { $0.identifier == identifier }
    if case .start(let isForLocation) = order {
      guard app == nil else { return fail(ticket, "the app runs already") }
      return start(identifier, isForLocation: isForLocation, ticket, at: now)
    }
    guard let app else { return fail(ticket, "the app does not run") }
    switch (order, app.phase) {
    case (_, .ending): fail(ticket, "the app is about to end")
    case (.kill, _):
      app.processes.kill()
      done(ticket)
    case (_, .starting): fail(ticket, "the app is about to start")
    case (.freeze, .running): freeze(app, ticket)
    case (.thaw, .running): answer(ticket, thaw(app))
    case (.end, .running): answer(ticket, end(app))
    case (.start, .running): fail(ticket, "the app runs already")
    }
  }

  /// Reports the apps that run, and their output that no daemon has got, to a connection; further news follow.
  func attend(_ connection: UInt64) {
    attendant = connection
    for app in apps { outcomes.append(.news(.running(app.report))) }
    outcomes.append(.news(.attended))
    for app in apps {
      for item in app.takeWaitingOutput() { report(item, of: app) }
    }
  }

  /// Keeps the output of apps until the next daemon attends.
  ///
  /// A pending freeze is canceled. The next daemon would not get the answer to this freeze, and would take the app for
  /// frozen although the freeze may still fail.
  func unattend() {
    attendant = nil
    for app in apps {
      if case .underWay = app.freezing { _ = thaw(app) }
    }
  }

  /// Lets all apps continue; returns their identifiers.
  func thawAll() -> [String] {
    let frozen = apps.filter { $0.freezing != .no }
    for app in frozen {
      if case .failed(let reason) = thaw(app) {
        complain("\(app.identifier): it stays frozen: \(reason)")
      }
      news(.running(app.report))
    }
    return frozen.map(\.identifier)
  }

  private func freeze(_ app: LaunchedApp, _ ticket: LaunchTicket) {
    switch app.freezing {
    case .frozen: return done(ticket)
    case .underWay: return fail(ticket, "the app is frozen at this moment")
    case .no: break
    }
    do {
      // Before the fact, so that the next launcher finds each frozen app.
      try folder.keep(app.record(isFrozen: true), of: app.identifier)
      app.recordDue = nil
      if try app.processes.freeze() {
        app.freezing = .frozen
        done(ticket)
      } else {
        // The record may have waited for the disk for longer than that since the turn began.
        app.freezing = .underWay(ticket, until: Clock.now + LaunchedApps.freezeTimeMax)
      }
    } catch {
      _ = thaw(app)
      fail(ticket, "the app cannot be frozen: \(error)")
    }
  }

  private func thaw(_ app: LaunchedApp) -> LaunchReport.Answer {
    if case .underWay(let ticket, _) = app.freezing {
      fail(ticket, "the app was thawed meanwhile")
    }
    do throws(SystemError) {
      try app.processes.thaw()
    } catch {
      return .failed(reason: "the app cannot be thawed: \(error)")
    }
    app.freezing = .no
    keepThawed(app, at: Clock.now)
    return .done
  }

  /// Writes the record of an app that is not frozen; a record that cannot be written is tried again later.
  ///
  /// A launcher that is started before that freezes the app as the old record says, and reports it to the daemon.
  private func keepThawed(_ app: LaunchedApp, at now: Instant) {
    do throws(SystemError) {
      try folder.keep(app.record(isFrozen: false), of: app.identifier)
      app.recordDue = nil
    } catch {
      if app.recordDue == nil {
        complain("\(app.identifier): its record cannot be written and is tried again: \(error)")
      }
      app.recordDue = now + LaunchedApps.recordPause
    }
  }

  /// The signal comes first, so that a frozen app gets it when it continues.
  private func end(_ app: LaunchedApp) -> LaunchReport.Answer {
    do throws(Errno) {
      try app.process.signal(SIGTERM)
    } catch {
      return .failed(
        reason: "the app's process \(app.process.processID) gets no SIGTERM: \(error)")
    }
    guard app.freezing != .no else { return .done }
    let answer = thaw(app)
    // The daemon has ordered the end only.
    if answer == .done { news(.running(app.report)) }
    return answer
  }

  // MARK: Events of the kernel

  func watch(with poll: inout Poll) {
    for app in apps { app.watch(with: &poll) }
  }

  func handleReady(_ poll: Poll, at now: Instant) {
    for app in apps {
      if let descriptor = app.output?.descriptor, !poll.readiness(of: descriptor).isEmpty {
        for item in app.output?.read(at: now) ?? [] { report(item, of: app) }
      }
      if case .starting(let start) = app.phase, !poll.readiness(of: start.child.descriptor).isEmpty
      {
        startEnded(app, start)
      }
      if app.isRunning, !poll.readiness(of: app.process.descriptor).isEmpty {
        firstProcessEnded(app, at: now)
      } else if let group = app.processes.group, !poll.readiness(of: group.descriptor).isEmpty {
        groupChanged(app, group, at: now)
      }
    }
  }

  func deadlineReached(at now: Instant) {
    for app in apps {
      for item in app.output?.deadlineReached(at: now) ?? [] { report(item, of: app) }
      if case .underWay(let ticket, let until) = app.freezing, until <= now {
        app.freezing = .frozen
        _ = thaw(app)
        fail(ticket, "the app's processes did not stop in time")
      }
      if let due = app.recordDue, due <= now, app.freezing == .no { keepThawed(app, at: now) }
      if case .ending(let ending, let until) = app.phase, until <= now {
        complain("\(app.identifier): a process of it does not end")
        finish(app, ending, at: now)
      }
    }
  }

  private func startEnded(_ app: LaunchedApp, _ start: LaunchedApp.Start) {
    let result: WaitingChild.Start?
    do throws(Errno) {
      result = try start.child.start()
    } catch {
      result = .failed(ChildFailure(.program, error))
    }
    switch result {
    case nil: return
    case .running:
      app.phase = .running
      done(start.ticket)
    case .failed(let failure):
      start.child.cancel()
      remove(app)
      startFailed(app.identifier, start.ticket, start.found.fault(failure))
    }
  }

  /// Answers a start that has failed after the app was reported.
  ///
  /// A daemon that attends since the order knows the app as one that runs, and gets no answer.
  func startFailed(_ identifier: String, _ ticket: LaunchTicket, _ reason: String) {
    fail(ticket, reason)
    if ticket.connection != attendant { news(.ended(identifier, .unknown)) }
  }

  private func firstProcessEnded(_ app: LaunchedApp, at now: Instant) {
    // Before the child is reaped: its number, which is that of the session, is not used again until then.
    app.processes.kill()
    let ending: LaunchReport.Ending =
      switch app.process.reap() {
      case .exited(let status): .exited(status: status)
      case .killed(let signal): .killed(signal: signal)
      case nil: .unknown
      }
    if case .underWay(let ticket, _) = app.freezing { fail(ticket, "the app has ended") }
    app.freezing = .no
    app.phase = .ending(ending, until: now + LaunchedApps.killTimeMax)
    guard let group = app.processes.group, group.state.isPopulated else {
      return finish(app, ending, at: now)
    }
  }

  private func groupChanged(_ app: LaunchedApp, _ group: ControlGroup, at now: Instant) {
    let state = group.state
    if case .ending(let ending, _) = app.phase, !state.isPopulated {
      return finish(app, ending, at: now)
    }
    if case .underWay(let ticket, _) = app.freezing, state.isFrozen {
      app.freezing = .frozen
      done(ticket)
    }
  }

  private func finish(_ app: LaunchedApp, _ ending: LaunchReport.Ending, at now: Instant) {
    for item in app.output?.finish(at: now) ?? [] { report(item, of: app) }
    remove(app)
    news(.ended(app.identifier, ending))
  }

  private func remove(_ app: LaunchedApp) {
    apps.removeAll { $0 === app }
    _ = app.process.reap()
    app.processes.group?.remove()
    folder.removeFiles(of: app.identifier)
  }

  // MARK: Reports

  func done(_ ticket: LaunchTicket) { answer(ticket, .done) }

  func fail(_ ticket: LaunchTicket, _ reason: String) { answer(ticket, .failed(reason: reason)) }

  private func answer(_ ticket: LaunchTicket, _ answer: LaunchReport.Answer) {
    outcomes.append(.answer(ticket, answer.fitting))
  }

  func runLater(_ identifier: String) { outcomes.append(.run(identifier)) }

  func news(_ report: LaunchReport) {
    if attendant != nil { outcomes.append(.news(report)) }
  }

  private func report(_ item: OutputLines.Item, of app: LaunchedApp) {
    guard attendant != nil else { return app.keep(item) }
    switch item {
    case .line(let line): news(.output(app.identifier, line: line))
    case .lost(let count): news(.outputLost(app.identifier, count: count))
    }
  }
}
