import BinnacleBasics
import BinnacleModel

/// The session objects of clients.
extension Engine {
  mutating func openSession(
    _ id: SessionID, _ session: AppSession, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let peer = apps.client(client)?.peer else { return }
    if session.isSession { apps.opened(by: peer) }
    apps.sessions.forgetIdle(at: now)
    let object = SessionTable.Object(
      client: client, id: id, app: peer.app, session: session, processID: peer.processID)
    if !apps.sessions.made(object, byScript: peer.isUnlaunchedScript) {
      effects.append(.client(client, .sessionDiagnostic(id, .insufficientlyInUse)))
      effects.append(
        .log(
          .warning,
          "\(peer.app): a session has no effect, because a client may have \(SessionTable.objectsMax) objects"
        ))
    }
  }

  /// The part of the report about live activities.
  func addActivities(to report: inout Report) {
    let activities = apps.sessions.apps.compactMap { sessions in
      apps.sessions.activityText(of: sessions.app).map { (sessions.app, $0) }
    }
    for (index, (app, text)) in activities.prefix(Engine.activitiesShownMax).enumerated() {
      report.add(.activityApp("\(index + 1)"), "\(app)")
      report.add(.activityText("\(index + 1)"), text)
    }
  }

  private static let activitiesShownMax = 16

  /// Sends the prompts and authorizations that have changed.
  mutating func sendAnswers(into effects: inout [Effect]) {
    let present = apps
    sendPrompts(into: &effects)
    // The end of a request is an answer, after which an app reads its authorization.
    for (client, state) in watch.takeChanges({ present.authorizationState(of: $0) }) {
      effects.append(.client(client, .authorization(state)))
    }
  }

  /// Sends the diagnostics of sessions that have changed.
  mutating func sendDiagnostics(into effects: inout [Effect]) {
    for index in apps.sessions.objects.indices {
      let object = apps.sessions.objects[index]
      let peer = apps.client(object.client)?.peer
      let flags =
        peer.map(apps.isServedAlways) == true
        ? [] : apps.diagnostic(of: object, file: peer?.file)
      guard flags != object.sent else { continue }
      apps.sessions.sent(flags, at: index)
      effects.append(.client(object.client, .sessionDiagnostic(object.id, flags)))
    }
  }
}

extension AppTable {
  /// The authorization of a client's app, as `CLLocationManager` shows it; nil for an unknown client.
  func authorizationState(of client: ClientID) -> AuthorizationState? {
    guard let peer = self.client(client)?.peer else { return nil }
    guard !isServedAlways(peer) else {
      return AuthorizationState(services.isOn ? .always : .denied, areServicesOn: services.isOn)
    }
    let authorization = authorization(of: peer.app, file: peer.file)
    // Core Location reports full accuracy until a person has answered.
    return AuthorizationState(
      services.isOn ? authorization : .denied,
      isReduced: authorization != .notDetermined && isReduced(peer.app),
      areServicesOn: services.isOn, hasBackgroundMode: hasBackgroundMode(peer.app))
  }

  /// Whether the manifest of an app permits locations in the background.
  ///
  /// - Parameter app: the app; an app without a manifest has no background mode.
  /// - Returns: nil if the daemon cannot see the program, whose manifest it then does not know.
  private func hasBackgroundMode(_ app: AppID) -> Bool? {
    switch app {
    case .listed: declaration(of: app)?.hasBackgroundLocation
    case .unlisted: false
    case .unresolved, .door: nil
    }
  }
}
