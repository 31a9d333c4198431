import BinnacleBasics
import LaunchWire

/// The launcher of a simulated board: takes the packets of the real one, and answers when and as the real one does.
///
/// `LaunchServer` and `LaunchedApps` of the module `Launcher` are the models. The launcher can end at any moment: its apps
/// go on, and the next launcher takes them over by their records. Ends of these apps come without a status.
struct SimulatedLauncher: Sendable {
  /// A deliberately broken launcher.
  enum Flaw: String, CaseIterable, Sendable {
    case freezesOnlyTheFirstProcess, freezesNothing, forgetsItsApps, keepsFrozenWithoutDaemon
    case keepsFrozenAtItsStop, stopsSilently, ignoresKills, forgetsFreezesUnderWay
  }

  /// The record of an app in the folder of the launcher's runtime directory, for the next launcher; a power cut removes it.
  struct Record: Equatable, Sendable {
    let identifier: String
    let app: Int
    let group: Int
    let first: Int32
    var isFrozen: Bool
  }

  /// A program that the launcher has started.
  struct Start: Equatable, Sendable {
    let process: Int32
    let app: Int
    let isForLocation: Bool
  }

  private enum Phase: Sendable {
    /// The request is nil if the daemon that has made it has left.
    case starting(request: UInt32?, until: Instant, isForLocation: Bool, fails: Bool)
    case running
    /// The first process has ended; the end is reported as soon as the group is empty.
    case ending(LaunchReport.Ending)
  }

  private struct App: Sendable {
    var record: Record
    var phase: Phase
    /// Whether this launcher has started the app, and gets the status of its end.
    let isOwnChild: Bool
    /// A freeze that the kernel has not completed: its request, its time, and whether it succeeds.
    var freezing: (request: UInt32, until: Instant, succeeds: Bool)?
  }

  /// A frozen app is thawed when no daemon has attended for this time, as in `LaunchServer`.
  static let unattendedTimeMax = Interval.seconds(60)
  private static let freezeTimeMax = Interval.seconds(2)

  private let identifiers: [String]
  private let flaw: Flaw?
  private var random: Random
  private var apps: [App] = []
  private var isAttended = false
  private var unattendedSince: Instant?
  private var reports: [LaunchReport] = []
  private var starts: [Start] = []
  private var terminated: [Int32] = []

  /// Starts the launcher, which takes over the apps that still run.
  init(
    _ identifiers: [String], after records: [Record], flaw: Flaw?, random: Random,
    _ processes: inout ProcessTable, at now: Instant
  ) {
    self.identifiers = identifiers
    self.flaw = flaw
    self.random = random
    unattendedSince = now
    if flaw == .forgetsItsApps { return }
    for record in records {
      guard processes.process(record.first) != nil else {
        processes.kill(record.group)
        continue
      }
      // The launcher before may have ended between the record and the fact.
      if record.isFrozen { processes.set(frozen: true, record.group) }
      apps.append(App(record: record, phase: .running, isOwnChild: false))
    }
  }

  /// The records for the next launcher.
  var records: [Record] { apps.map(\.record) }

  mutating func takeReports() -> [LaunchReport] {
    defer { reports = [] }
    return reports
  }

  mutating func takeStarts() -> [Start] {
    defer { starts = [] }
    return starts
  }

  /// The processes that got SIGTERM.
  mutating func takeTerminated() -> [Int32] {
    defer { terminated = [] }
    return terminated
  }

  var nextDeadline: Instant? {
    var due = unattendedSince.map { $0 + SimulatedLauncher.unattendedTimeMax }
    for app in apps {
      if case .starting(_, let until, _, _) = app.phase { due = earlier(due, until) }
      due = earlier(due, app.freezing?.until)
    }
    return due
  }

  // MARK: The daemon

  /// The connection of the daemon has ended.
  mutating func daemonLeft(_ processes: inout ProcessTable, at now: Instant) {
    isAttended = false
    unattendedSince = now
    for index in apps.indices {
      if case .starting(_, let until, let isForLocation, let fails) = apps[index].phase {
        apps[index].phase = .starting(
          request: nil, until: until, isForLocation: isForLocation, fails: fails)
      }
    }
    if flaw != .forgetsFreezesUnderWay {
      for index in apps.indices where apps[index].freezing != nil { thaw(index, &processes) }
    }
    reports = []
  }

  mutating func take(_ request: LaunchRequest, _ processes: inout ProcessTable, at now: Instant) {
    switch request.kind {
    case .identify: return
    case .attend:
      isAttended = true
      unattendedSince = nil
      answer(request.number, .done)
      for app in apps { reports.append(.running(report(of: app))) }
      reports.append(.attended)
    case .order(let identifier, let order):
      take(order, about: identifier, request.number, &processes, at: now)
    }
  }

  private mutating func take(
    _ order: LaunchRequest.AppOrder, about identifier: String, _ number: UInt32,
    _ processes: inout ProcessTable, at now: Instant
  ) {
    let found = apps.firstIndex { $0.record.identifier == identifier }
    if case .start(let isForLocation) = order {
      guard found == nil else { return fail(number, "the app runs already") }
      return start(identifier, isForLocation: isForLocation, number, &processes, at: now)
    }
    guard let index = found else { return fail(number, "the app does not run") }
    switch (order, apps[index].phase) {
    case (_, .ending): fail(number, "the app is about to end")
    case (.kill, _):
      if flaw != .ignoresKills { processes.kill(apps[index].record.group) }
      answer(number, .done)
    case (_, .starting): fail(number, "the app is about to start")
    case (.freeze, .running): freeze(index, number, &processes, at: now)
    case (.thaw, .running):
      thaw(index, &processes)
      answer(number, .done)
    case (.end, .running):
      terminated.append(apps[index].record.first)
      if apps[index].record.isFrozen {
        thaw(index, &processes)
        // The daemon has ordered the end only.
        news(.running(report(of: apps[index])))
      }
      answer(number, .done)
    case (.start, .running): fail(number, "the app runs already")
    }
  }

  private mutating func start(
    _ identifier: String, isForLocation: Bool, _ number: UInt32, _ processes: inout ProcessTable,
    at now: Instant
  ) {
    guard let place = identifiers.firstIndex(of: identifier), !random.chance(0.01) else {
      return fail(number, "the manifest is not trusted")
    }
    let group = processes.makeGroup()
    let first = processes.start(place, in: group)
    let record = Record(
      identifier: identifier, app: place, group: group, first: first, isFrozen: false)
    let until = now + .microseconds(500 + Int64(random.unit() * 20_000))
    let phase = Phase.starting(
      request: number, until: until, isForLocation: isForLocation, fails: random.chance(0.02))
    apps.append(App(record: record, phase: phase, isOwnChild: true))
    // Before the program can connect to the daemon.
    news(.running(report(of: apps[apps.count - 1])))
  }

  private mutating func freeze(
    _ index: Int, _ number: UInt32, _ processes: inout ProcessTable, at now: Instant
  ) {
    if apps[index].freezing != nil { return fail(number, "the app is frozen at this moment") }
    if apps[index].record.isFrozen { return answer(number, .done) }
    // Before the fact, so that the next launcher finds each frozen app.
    apps[index].record.isFrozen = true
    guard random.chance(0.8) else {
      // A process is inside a driver.
      let succeeds = random.chance(0.5)
      let time =
        succeeds ? .milliseconds(Int64(5 + 400 * random.unit())) : SimulatedLauncher.freezeTimeMax
      apps[index].freezing = (number, now + time, succeeds)
      return
    }
    stop(index, &processes)
    answer(number, .done)
  }

  private func stop(_ index: Int, _ processes: inout ProcessTable) {
    let record = apps[index].record
    if flaw == .freezesNothing { return }
    processes.set(
      frozen: true, record.group,
      only: flaw == .freezesOnlyTheFirstProcess ? record.first : nil)
  }

  private mutating func thaw(_ index: Int, _ processes: inout ProcessTable) {
    if let freezing = apps[index].freezing {
      apps[index].freezing = nil
      fail(freezing.request, "the app was thawed meanwhile")
    }
    processes.set(frozen: false, apps[index].record.group)
    apps[index].record.isFrozen = false
  }

  /// The launcher is killed; returns the programs that are about to run, and run nevertheless.
  mutating func die() -> [Start] {
    apps.compactMap { app in
      guard case .starting(_, _, let isForLocation, let fails) = app.phase, !fails else {
        return nil
      }
      return Start(
        process: app.record.first, app: app.record.app, isForLocation: isForLocation)
    }
  }

  /// The launcher is stopped: no app stays frozen.
  mutating func stop(_ processes: inout ProcessTable) {
    if flaw == .keepsFrozenAtItsStop { return }
    thawAll(&processes)
    if flaw == .stopsSilently { reports = [] }
  }

  private mutating func thawAll(_ processes: inout ProcessTable) {
    for index in apps.indices where apps[index].record.isFrozen {
      thaw(index, &processes)
      news(.running(report(of: apps[index])))
    }
  }

  // MARK: The kernel

  /// A process of a group has ended.
  mutating func processEnded(
    _ process: ProcessTable.Process, _ ending: LaunchReport.Ending,
    _ processes: inout ProcessTable
  ) {
    guard let index = apps.firstIndex(where: { $0.record.group == process.group }) else { return }
    if apps[index].record.first == process.id {
      // The pipe to the child that has not run its program yet ends without an error.
      if case .starting(let request?, _, _, _) = apps[index].phase { answer(request, .done) }
      if let freezing = apps[index].freezing { fail(freezing.request, "the app has ended") }
      apps[index].freezing = nil
      apps[index].phase = .ending(apps[index].isOwnChild ? ending : .unknown)
      processes.kill(process.group ?? 0)
    }
    guard case .ending(let ending) = apps[index].phase,
      !processes.isPopulated(apps[index].record.group)
    else { return }
    let identifier = apps.remove(at: index).record.identifier
    news(.ended(identifier, ending))
  }

  mutating func deadlineReached(_ processes: inout ProcessTable, at now: Instant) {
    for index in apps.indices.reversed() {
      if case .starting(let request, let until, let isForLocation, let fails) = apps[index].phase,
        until <= now
      {
        let record = apps[index].record
        guard !fails else {
          apps.remove(at: index)
          processes.kill(record.group)
          if let request {
            fail(request, "the program cannot be run")
          } else {
            // A daemon that attends since the order knows the app as one that runs.
            news(.ended(record.identifier, .unknown))
          }
          continue
        }
        apps[index].phase = .running
        starts.append(
          Start(process: record.first, app: record.app, isForLocation: isForLocation))
        if let request { answer(request, .done) }
      }
      if let freezing = apps[index].freezing, freezing.until <= now {
        apps[index].freezing = nil
        if freezing.succeeds {
          stop(index, &processes)
          answer(freezing.request, .done)
        } else {
          apps[index].record.isFrozen = false
          fail(freezing.request, "the app's processes did not stop in time")
        }
      }
    }
    if let since = unattendedSince, since + SimulatedLauncher.unattendedTimeMax <= now {
      unattendedSince = nil
      if flaw != .keepsFrozenWithoutDaemon { thawAll(&processes) }
    }
  }

  // MARK: Reports

  private func report(of app: App) -> LaunchReport.App {
    LaunchReport.App(
      identifier: app.record.identifier, processID: app.record.first,
      isFrozen: app.record.isFrozen, group: .controlGroup("/\(app.record.group)"))
  }

  private mutating func answer(_ number: UInt32, _ answer: LaunchReport.Answer) {
    if isAttended { reports.append(.answer(number, answer)) }
  }

  private mutating func fail(_ number: UInt32, _ reason: String) {
    answer(number, .failed(reason: reason))
  }

  private mutating func news(_ report: LaunchReport) {
    if isAttended { reports.append(report) }
  }
}
