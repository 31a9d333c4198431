import BinnacleBasics
import BinnacleModel

/// The rows of the lists of apps, grants and prompts.
extension Engine {
  func appRows(without client: ClientID) -> [Report] { knownApps(without: client).map(row) }

  private func row(of app: AppID) -> Report {
    var row = Report()
    let own = apps.clients.filter { $0.peer.app == app }
    row.add(.rowID, "\(app)")
    if let userID = own.first?.peer.userID ?? app.userID { row.add(.rowUserID, Int64(userID)) }
    if case .unlisted(_, let executable) = app { row.add(.rowExecutable, executable) }
    let processIDs = Set(own.map(\.peer.processID)).sorted().map(String.init)
    if !processIDs.isEmpty { row.add(.rowProcessIDs, processIDs.joined(separator: " ")) }
    row.add(.rowState, apps.state(of: app).rawValue)
    row.add(.rowIsInUse, apps.isInUse(app))
    row.add(.rowAuthorization, apps.authorization(of: app, file: apps.file(of: app)).name)
    row.add(.rowAccuracy, Engine.accuracy(isReduced: apps.isReduced(app)))
    if let use = uses.uses.first(where: { $0.app == app }), let time = use.time {
      row.add(.rowSince, time.rfc3339(fractionDigits: 0))
    }
    row.add(.rowHasBackgroundSession, apps.sessions.isHeld(.background, by: app))
    let services = apps.sessions.objects(of: app).count {
      SessionRole($0.session)?.isService == true
    }
    row.add(.rowServiceSessions, Int64(services))
    let sequences = own.reduce(0) { $0 + updates.sequences(of: $1.id).count }
    row.add(.rowSequences, Int64(sequences))
    row.add(.rowIsManaged, false)
    return row
  }

  private static func accuracy(isReduced: Bool) -> String { isReduced ? "reduced" : "full" }

  var grantRows: [Report] {
    apps.grants.entries.map { entry in
      var row = Report()
      row.add(.rowID, "\(entry.app)")
      row.add(.rowAuthorization, entry.grant.authorization.name)
      row.add(.rowAccuracy, Engine.accuracy(isReduced: entry.grant.isReduced))
      if let time = entry.grant.time { row.add(.rowSince, time.rfc3339(fractionDigits: 0)) }
      row.add(.rowBy, entry.grant.source.name)
      return row
    }
  }

  /// Sends the open requests to the clients that watch, if the requests have changed.
  mutating func sendPrompts(into effects: inout [Effect]) {
    if promptWatch.isEmpty { return }
    let rows = promptRows
    for (client, request) in promptWatch.takeChanges(rows) {
      effects.append(.client(client, .rows(request: request, rows)))
    }
  }

  var promptRows: [Report] {
    apps.prompts.prompts.map { prompt in
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

extension AppID {
  /// The user in the name of an app without a manifest.
  fileprivate var userID: UInt32? {
    switch self {
    case .unlisted(let userID, _), .unresolved(let userID): userID
    case .listed, .door: nil
    }
  }
}
