import BinnacleBasics
import BinnacleModel
import StateLog

/// The requests of clients about the rights of apps.
extension Engine {
  mutating func take(
    _ request: ConsentRequest, _ number: UInt32, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let requester = apps.client(client) else {
      let refusal = ConsentRefusal(.notPermitted, "the daemon does not know the client")
      return effects.append(.client(client, .consentRefusal(request: number, refusal)))
    }
    do throws(ConsentRefusal) {
      if case .watchPrompts = request {
        promptWatch.watched(by: client, request: number)
        return sendPrompts(into: &effects)
      }
      if case .output(let name, let isFollowed) = request {
        let app = try known(name, to: requester)
        try requireManifest(app)
        return effects.append(
          .client(client, .output(request: number, app, isFollowed: isFollowed)))
      }
      if let rows = try rows(for: request, of: requester, at: now) {
        return effects.append(.client(client, .rows(request: number, rows)))
      }
      try change(
        request, by: requester, for: .client(client, request: number), at: now, into: &effects)
    } catch {
      return effects.append(.client(client, .consentRefusal(request: number, error)))
    }
    switch request {
    case .background: effects.append(.client(client, .answer(request: number, failure: nil)))
    // The log of state answers.
    case .allow, .deny, .reset: break
    // The launcher answers, or the change itself.
    case .foreground, .home, .start, .quit: break
    case .apps, .grants, .prompts, .watchPrompts, .who, .audit, .why, .output: break
    }
    rightsChanged(at: now, into: &effects)
  }

  /// The rows of a list, which has the apps that the user of the client may see; nil if the request is no list.
  private func rows(
    for request: ConsentRequest, of client: AppTable.Client, at now: Instant
  ) throws(ConsentRefusal) -> [Report]? {
    func isVisible(_ app: AppID) -> Bool { maySee(app, client) }
    let reader = AdviceReader(client.peer)
    return switch request {
    case .apps: appRows(without: client, at: now, isVisible)
    case .grants: grantRows(isVisible)
    case .prompts: promptRows(isVisible)
    case .who: useRows(isVisible)
    case .audit:
      epochRows(isVisible) + (mayView(client) ? consoleRows() : [])
    case .why(let name?):
      reasonRows(of: try known(name, to: client, isVisible), for: reader, at: now)
    case .why(nil):
      knownApps(without: client).filter(isVisible)
        .flatMap { reasonRows(of: $0, for: reader, at: now) }
    case .allow, .deny, .reset, .foreground, .background, .home, .start, .quit, .watchPrompts,
      .output:
      nil
    }
  }

  /// Makes a change; a user that may not operate may only take rights away from the user's own apps.
  private mutating func change(
    _ request: ConsentRequest, by client: AppTable.Client, for requester: Requester,
    at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    let peer = client.peer
    guard peer.console != .viewer else {
      throw ConsentRefusal(.notPermitted, "this console is locked; 'unlock' lets it change things")
    }
    guard peer.mayOperate || !request.mayGiveRights else {
      throw ConsentRefusal(
        .notPermitted,
        "only root, the daemon's own user and members of its group may do this; other users may deny and close their own apps, and send them to the background"
      )
    }
    // A locked console is refused above.
    let source: Grant.Source = peer.console == nil ? .command : .console
    switch request {
    case .allow(let name, let allowance, let isReduced):
      let app = try known(name, to: client)
      try allow(
        app, allowance, isReduced: isReduced, by: source, for: requester, at: now,
        into: &effects)
    case .deny(let name):
      let app = try known(name, to: client)
      try requirePlace(forDenialOf: app, by: peer)
      try deny(app, by: source, for: requester, at: now, into: &effects)
    case .reset(let name):
      try reset(try known(name, to: client), for: requester, at: now, into: &effects)
    case .foreground(let name):
      try bringToForeground(
        try known(name, to: client), for: requester, at: now, into: &effects)
    case .background(let name): try sendToBackground(try known(name, to: client), at: now)
    case .home: try pressHome(for: requester, at: now, into: &effects)
    case .start(let name):
      try startApp(try known(name, to: client), for: requester, at: now, into: &effects)
    case .quit(let name):
      try quitApp(try known(name, to: client), for: requester, at: now, into: &effects)
    case .apps, .grants, .prompts, .watchPrompts, .who, .audit, .why, .output: break
    }
  }

  /// Limits the answers that a user without the rights of an operator adds, so that places remain for all other apps.
  ///
  /// A refused denial takes nothing from the user: an app without an answer gets no location until a person allows it.
  /// A reader of a door that the board's profile allows gets locations without an answer, so its denial is not refused.
  private func requirePlace(forDenialOf app: AppID, by peer: Peer) throws(ConsentRefusal) {
    guard !peer.mayOperate, !app.hasManifest, apps.profileGrant(of: app) == nil else { return }
    let answered = storage.state.names.compactMap { name in
      name.kind == RecordTable.grant.number ? AppID(grantKey: name.key) : nil
    }.filter { !$0.hasManifest }
    if answered.contains(app) { return }
    func refusal(_ programs: String, another place: String) -> ConsentRefusal {
      ConsentRefusal(
        .notPossible,
        "\(programs) without a manifest have an answer, which is the most; \(app) has none, so it gets no location until a person allows it; to make room, an operator calls 'binnacle reset APP' for another \(place)"
      )
    }
    if case .unlisted(let userID, _) = app {
      let ownCount = answered.count { if case .unlisted(userID, _) = $0 { true } else { false } }
      if ownCount >= GrantTable.unlistedPerUserMax {
        throw refusal("\(ownCount) of your programs", another: "of your programs")
      }
    }
    if answered.count >= GrantTable.unlistedMax {
      throw refusal("\(answered.count) programs of all users", another: "program")
    }
  }

  /// The app with a name, or with a name that begins so, for a user that may see it.
  private func known(
    _ name: String, to client: AppTable.Client
  ) throws(ConsentRefusal) -> AppID {
    try known(name, to: client) { apps.mayManage($0, client.peer) }
  }

  /// A beginning of a name does not match the asking program, because `binnacle apps` does not list this program.
  private func known(
    _ name: String, to client: AppTable.Client, _ isVisible: (AppID) -> Bool
  ) throws(ConsentRefusal) -> AppID {
    let known = knownApps()
    if let app = known.first(where: { "\($0)" == name }), isVisible(app) { return app }
    // A reader of a door may get its answer before it reads for the first time.
    if let reader = apps.reader(named: name), isVisible(reader) { return reader }
    let found = knownApps(without: client).filter { "\($0)".hasPrefix(name) && isVisible($0) }
    guard let app = found.first else {
      if known.contains(where: { "\($0)" == name && apps.declaration(of: $0) != nil }) {
        throw ConsentRefusal(.notPermitted, "\(name) is an app of another user")
      }
      throw ConsentRefusal(
        .appUnknown,
        client.peer.seesOwnAppsOnly
          ? "no app of yours is called '\(name)'; 'binnacle apps' lists your apps"
          : "there is no app '\(name)'; 'binnacle apps' lists the apps")
    }
    guard found.count == 1 else {
      let names = found.map { "\($0)" }.joined(separator: ", ")
      throw ConsentRefusal(.appUnknown, "several apps begin with '\(name)': \(names)")
    }
    return app
  }

  /// The apps with a manifest, then all other apps with a process or a grant, and readers that the profile names; tools of
  /// operators are no apps.
  ///
  /// - Parameter asking: a client whose process does not count, because it only asks.
  /// - Returns: the apps, each once.
  func knownApps(without asking: AppTable.Client? = nil) -> [AppID] {
    func isAsking(_ client: AppTable.Client) -> Bool {
      guard let asking else { return false }
      // The kernel reports 0 for a process of another container.
      let process = asking.peer.processID
      return client.id == asking.id || process != 0 && client.peer.processID == process
    }
    var known = apps.declarations.map(\.app)
    let running = apps.clients.filter { !$0.peer.isOperator && !isAsking($0) }.map(\.peer.app)
    let others = running + apps.grants.entries.map(\.app) + apps.namedReaders
    for app in others where !known.contains(app) { known.append(app) }
    return known
  }
}

extension ConsentRequest {
  /// Whether the request may give an app a right that it does not have.
  fileprivate var mayGiveRights: Bool {
    switch self {
    case .allow, .reset, .foreground, .home, .start: true
    case .deny, .background, .quit, .apps, .grants, .prompts, .watchPrompts, .who, .audit, .why,
      .output:
      false
    }
  }
}
