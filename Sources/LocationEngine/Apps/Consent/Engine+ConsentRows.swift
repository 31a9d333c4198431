import BinnacleBasics
import BinnacleModel

/// The rows of the lists of apps, grants and prompts.
extension Engine {
  func appRows(
    without asking: AppTable.Client, at now: Instant, _ isVisible: (AppID) -> Bool
  ) -> [Report] {
    knownApps(without: asking).filter(isVisible).map { row(of: $0, at: now) }
  }

  private func row(of app: AppID, at now: Instant) -> Report {
    var row = Report()
    let own = apps.clients.filter { $0.peer.app == app && !$0.peer.isOperator }
    row.add(.rowID, "\(app)")
    // The kernel reports neither the users nor the processes of the readers at a terminal.
    let isKnown = !app.isDoor || app.userID != nil
    let userID = app.userID ?? own.first?.peer.userID ?? apps.declaration(of: app)?.userID
    if isKnown, let userID { row.add(.rowUserID, Int64(userID)) }
    if let executable = executable(of: app) { row.add(.rowExecutable, executable) }
    let processIDs = Set(own.map(\.peer.processID)).sorted().map(Int64.init)
    if isKnown, !processIDs.isEmpty { row.add(.rowProcessIDs, ProcessIDs(processIDs)) }
    row.add(.rowState, apps.state(of: app).rawValue)
    if let beginning = appStates.beginning(of: app), let time = time(at: beginning) {
      row.add(.rowStateSince, time.rfc3339(fractionDigits: 0))
    }
    row.add(.rowIsInUse, apps.isInUse(app))
    row.add(.rowAuthorization, apps.authorization(of: app, file: peer(of: app).file).name)
    row.add(.rowAccuracy, Engine.accuracy(isReduced: apps.isReduced(app)))
    row.add(.rowHasBackgroundSession, apps.sessions.isHeld(.background, by: app))
    let services = apps.sessions.objects(of: app).count {
      SessionRole($0.session)?.isService == true
    }
    row.add(.rowServiceSessions, Int64(services))
    let sequences = own.reduce(0) { $0 + updates.sequences(of: $1.id).count }
    row.add(.rowSequences, Int64(sequences))
    if let text = apps.sessions.activityText(of: app) { row.add(.rowLiveActivity, text) }
    row.add(.rowIsManaged, apps.lives.isRunning(app))
    if let life = apps.lives[app] { add(life, to: &row, at: now) }
    return row
  }

  private func executable(of app: AppID) -> String? {
    if case .unlisted(_, let executable) = app { return executable }
    return apps.declaration(of: app)?.executable
  }

  private func add(_ life: AppLife, to row: inout Report, at now: Instant) {
    row.add(.rowLaunches, Int64(life.pace.count))
    if life.state == .absent, !life.queue.isEmpty || life.recalledUntil != nil,
      let time = time(at: max(now, life.pace.nextLaunch))
    {
      row.add(.rowNextLaunchAt, time.rfc3339(fractionDigits: 0))
    }
    if let reason = life.lastEnd { row.add(.rowReason, reason) }
    if !life.queue.isEmpty { row.add(.rowWaiting, Int64(life.queue.entries.count)) }
    if life.queue.droppedCount > 0 { row.add(.rowDropped, Int64(life.queue.droppedCount)) }
  }

  private static func accuracy(isReduced: Bool) -> String { isReduced ? "reduced" : "full" }

  func grantRows(_ isVisible: (AppID) -> Bool) -> [Report] {
    let answers = apps.grants.entries.map { ($0.app, $0.grant) }
      .filter { !apps.isLapsed($0.1, of: $0.0) }
    // After a loss of state a grant of the profile gives nothing until a person answers or accepts the loss.
    let byProfile = knownApps().filter { app in
      apps.grants[app] == nil && apps.authorization(of: app, file: nil).isGiven
    }.compactMap { app in apps.profileGrant(of: app).map { (app, $0) } }
    return (answers + byProfile).filter { isVisible($0.0) }.map { Engine.row(of: $0, $1) }
  }

  private static func row(of app: AppID, _ grant: Grant) -> Report {
    var row = Report()
    row.add(.rowID, "\(app)")
    row.add(.rowAuthorization, grant.authorization.name)
    row.add(.rowAccuracy, accuracy(isReduced: grant.isReduced))
    if let time = grant.time { row.add(.rowSince, time.rfc3339(fractionDigits: 0)) }
    row.add(.rowBy, grant.source.name)
    return row
  }

  /// Sends the open requests to the clients that watch, if the requests that the client's user may see have changed.
  mutating func sendPrompts(into effects: inout [Effect]) {
    for (client, request) in promptWatch.watchers {
      guard let watcher = apps.client(client) else { continue }
      let rows = promptRows { maySee($0, watcher) }
      if promptWatch.sends(rows, to: client) {
        effects.append(.client(client, .rows(request: request, rows)))
      }
    }
  }

  func promptRows(_ isVisible: (AppID) -> Bool) -> [Report] {
    apps.prompts.prompts.filter { isVisible($0.app) }.map { prompt in
      var row = Report()
      row.add(.rowID, "\(prompt.app)")
      row.add(.rowRequest, prompt.request.name)
      row.add(.rowText, text(of: prompt))
      if let time = prompt.time { row.add(.rowSince, time.rfc3339(fractionDigits: 0)) }
      row.add(.rowIsShown, prompt.shownAt != nil)
      return row
    }
  }
}
