import BinnacleModel

/// The rights of an app, and the reasons for a refusal.
extension AppTable {
  // MARK: Entitlement

  /// The entitlement of a peer's app now.
  ///
  /// The answer changes with events only, so the function needs no instant. Time limits are handled by
  /// ``lapse(at:into:)`` and ``lapseRights(at:into:)``, which run before every event.
  func entitlement(of peer: Peer) -> Entitlement {
    if isServedAlways(peer) {
      return Entitlement(
        obstacles: services.isOn ? [] : .servicesOff, isAuthorized: true, right: .operator,
        isOfTool: peer.app.hasManifest)
    }
    let authorization = authorization(of: peer.app, file: peer.file)
    var entitlement = Entitlement(
      obstacles: [], isAuthorized: authorization.isGiven,
      right: authorization.isGiven ? right(of: peer.app, authorization) : nil,
      isReduced: isReduced(peer.app))
    guard services.isOn else {
      entitlement.obstacles = .servicesOff
      return entitlement
    }
    if let obstacle = obstacle(to: peer, authorization, entitlement.right) {
      entitlement.obstacles = obstacle
    } else if !isInFront(peer.app) {
      switch light {
      case .lit: break
      case .dark, .asserting: entitlement.isWithheld = true
      case .failed: entitlement.obstacles = .insufficientlyInUse
      }
    }
    return entitlement
  }

  /// The entitlement that an absent app would have if it connected now.
  ///
  /// An absent app has outstanding updates only if it had authorization while it was connected.
  func entitlement(ofAbsent app: AppID) -> Entitlement {
    var obstacles: Entitlement.Obstacles = services.isOn ? [] : .servicesOff
    if restricted.covers(app) { obstacles.insert(.restricted) }
    if grants[app]?.authorization == .denied { obstacles.insert(.denied) }
    return Entitlement(
      obstacles: obstacles, isAuthorized: obstacles.isDisjoint(with: [.restricted, .denied]))
  }

  private func obstacle(
    to peer: Peer, _ authorization: Authorization, _ right: UseRight?
  ) -> Entitlement.Obstacles? {
    if authorization != .restricted, authorization != .denied,
      needsServiceSession(peer.app, toAsk: authorization == .notDetermined)
    {
      return .serviceSessionRequired
    }
    return switch authorization {
    case .restricted: .restricted
    case .denied: .denied
    case .notDetermined: obstacle(toUndetermined: peer)
    case .whenInUse, .always: right == nil ? .insufficientlyInUse : nil
    }
  }

  private func obstacle(toUndetermined peer: Peer) -> Entitlement.Obstacles {
    guard canAsk(peer.app) else { return .denied }
    let isAsking = prompts.contains(peer.app, .whenInUse, peer.file) || isInFront(peer.app)
    return isAsking ? .requestInProgress : .insufficientlyInUse
  }

  /// Whether an app must hold a service session and holds none.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - isAsking: whether the session must have a requirement, because a person has not answered yet.
  /// - Returns: false for an app without `RequireExplicitServiceSession`.
  func needsServiceSession(_ app: AppID, toAsk isAsking: Bool = false) -> Bool {
    guard let index = declarationIndex(of: app), declarations[index].needsServiceSession else {
      return false
    }
    let roles: [SessionRole] =
      [.serviceWhenInUse, .serviceAlways] + (isAsking ? [] : [.serviceNone])
    return !roles.contains { sessions.isHeld($0, by: app) }
  }

  /// The right by which an app receives locations; nil without a right.
  func right(of app: AppID, _ authorization: Authorization) -> UseRight? {
    if app.isDoor { return doorRight(of: app, authorization) }
    if mayHaveUnreadManifest(app) { return nil }
    if isInFront(app) { return .foreground }
    if sessions.isHeld(.background, by: app) { return .backgroundSession }
    if sessions.isHeld(.standardUpdates, by: app) { return .classic }
    if sessions.isHeld(.liveActivity, by: app) { return .liveActivity }
    // An always-session outlasts the grace, so the lamp is lit for it from the beginning of the grace.
    if authorization == .always, sessions.isHeld(.serviceAlways, by: app) { return .alwaysSession }
    return foreground.isInGrace(app) ? .foreground : nil
  }

  /// Whether an app is in use: in the foreground, or until a short time ago, or by a session.
  func isInUse(_ app: AppID) -> Bool {
    isInFront(app) || foreground.isInGrace(app)
      || SessionRole.allCases.contains { $0.keepsInUse && sessions.isHeld($0, by: app) }
  }

  // MARK: Authorization

  /// Judges the answer of a person for an app.
  ///
  /// While a loss of state is not accepted, an app without an answer is denied: its last answer may have been a denial, and
  /// a person is not asked twice.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - file: the program's file; the grant of an app without a manifest is bound to the file.
  /// - Returns: the authorization of the app.
  func authorization(of app: AppID, file: ProgramFile?) -> Authorization {
    if restricted.covers(app) { return .restricted }
    // The last answer of a person may be lost, and may have been a denial.
    let given = grants[app]
    if given == nil, services.damage != nil, !grants.isReleased(app) { return .denied }
    if let grant = given ?? profileGrant(of: app), grant.counts(for: app, file) {
      return grant.authorization
    }
    return replaced.contains(app, file) ? .denied : .notDetermined
  }

  /// Whether an app is denied because the last answer about it is lost, or may be lost.
  func isDeniedByLoss(_ app: AppID) -> Bool {
    guard let grant = grants[app] else { return services.damage != nil }
    return grant.source == .damage
  }

  /// Whether an app has reduced accuracy now.
  func isReduced(_ app: AppID) -> Bool { isReducedByAnswer(app) && !temporaryAccuracy.isGiven(app) }

  /// Whether an app has reduced accuracy by the answer of a person, else by its manifest.
  func isReducedByAnswer(_ app: AppID) -> Bool {
    if let grant = answer(for: app), grant.authorization.isGiven { return grant.isReduced }
    return declaration(of: app)?.isAccuracyReduced ?? false
  }

  /// Whether an app may ask a person: an app with a manifest needs a usage text, and the answer about any other app needs a
  /// record.
  func canAsk(_ app: AppID) -> Bool {
    switch app {
    case .listed: declaration(of: app)?.whenInUseText != nil
    case .unlisted, .unresolved: app.grantRecord != nil
    case .door: false
    }
  }

  /// The program file that an answer about an app is for, if a process of the file is connected: the file of the present
  /// grant, else a file that was not replaced.
  func file(of app: AppID) -> ProgramFile? {
    let files = clients.filter { $0.peer.app == app }.compactMap(\.peer.file)
    let granted = grants[app]?.file
    return files.first { $0 == granted } ?? files.first { !replaced.contains(app, $0) }
  }

  /// Whether a grant is for another program file than those of the app's processes, or fits no file.
  func isLapsed(_ grant: Grant, of app: AppID) -> Bool {
    guard case .unlisted = app, grant.authorization.isGiven else { return false }
    if grant.fitsNoFile { return true }
    let peers = clients.lazy.map(\.peer).filter { $0.app == app }
    return !peers.isEmpty && !peers.contains { $0.file == grant.file }
  }

  // MARK: Sessions

  /// Begins the sessions that may begin, and ends those that may not continue.
  mutating func settleSessions() {
    defer { endTemporaryAccuracy() }
    guard !sessions.isEmpty else { return }
    // A background session makes the app in use, and a service session may then begin.
    for _ in 0..<2 {
      for app in sessions.apps.map(\.app) {
        for role in SessionRole.allCases where !role.keepsInUse {
          _ = sessions.settle(role, of: app, mayBegin: mayBegin(role, app), mayContinue: true)
        }
        for role in SessionRole.allCases where role.keepsInUse {
          _ = sessions.settle(
            role, of: app, mayBegin: mayBegin(role, app),
            mayContinue: isBackgroundAuthorized(app))
        }
      }
    }
  }

  /// Temporary full accuracy ends with the use of the app, whichever object has requested it.
  private mutating func endTemporaryAccuracy() {
    for app in temporaryAccuracy.given where !isInUse(app) { temporaryAccuracy.useEnded(app) }
  }

  private func mayBegin(_ role: SessionRole, _ app: AppID) -> Bool {
    switch role {
    case .serviceNone, .serviceWhenInUse: isInUse(app)
    case .serviceAlways: isInFront(app)
    case .background, .standardUpdates, .liveActivity:
      isInFront(app) && services.isOn && !needsServiceSession(app)
    case .backgroundTask: true
    }
  }

  /// Whether an app may have a session that keeps it in use in the background.
  ///
  /// A session of an earlier run continues to wait while the manifest of its app may be one that could not be used.
  private func isBackgroundAuthorized(_ app: AppID) -> Bool {
    guard declaration(of: app)?.hasBackgroundLocation ?? mayHaveUnreadManifest(app) else {
      return false
    }
    return authorization(of: app, file: nil).isGiven
  }

  /// The diagnostic of a session object.
  func diagnostic(of object: SessionTable.Object, file: ProgramFile?) -> SessionFlags {
    let app = object.app
    if object.session == .backgroundTask { return [] }
    var flags: SessionFlags = []
    if !services.isOn { flags.insert([.authorizationDenied, .authorizationDeniedGlobally]) }
    let authorization = authorization(of: app, file: file)
    let isAsking = isAsking(object, file)
    if isAsking { flags.insert(.authorizationRequestInProgress) }
    switch authorization {
    case .restricted: flags.insert(.authorizationRestricted)
    case .denied: flags.insert(.authorizationDenied)
    case .notDetermined where !canAsk(app): flags.insert(.authorizationDenied)
    case .notDetermined, .whenInUse, .always: break
    }
    if let role = SessionRole(object.session) {
      let isSessionMissing = !role.isService && needsServiceSession(app)
      if isSessionMissing { flags.insert(.serviceSessionRequired) }
      let isAllowed = authorization.isGiven || role.isService
      // In the foreground the missing service session is the only reason.
      let isExplained = isSessionMissing && isInFront(app)
      if isAllowed, !isAsking, !isExplained, services.isOn, !sessions.isHeld(role, by: app) {
        flags.insert(.insufficientlyInUse)
      }
    }
    if object.session.wantsAlways, authorization == .whenInUse,
      grants[app]?.isAlwaysAnswered == true || !canAskForAlways(app)
    {
      flags.insert(.alwaysAuthorizationDenied)
    }
    if let purpose = object.session.fullAccuracyPurpose, isReduced(app), authorization.isGiven,
      temporaryAccuracy.isRefused(app, purpose)
        || declaration(of: app)?.temporaryText(for: purpose) == nil
    {
      flags.insert(.fullAccuracyDenied)
    }
    return flags
  }

  // MARK: The indicator

  /// Whether the indicator must be lit: an app in the background may receive locations.
  func isLightDue(isWanting: (AppID) -> Bool) -> Bool {
    guard services.isOn, !sessions.isEmpty || foreground.hasGraces || hasDoorReaders else {
      return false
    }
    return (declarations.map(\.app) + doorReaders).contains { isLightDue(for: $0, isWanting) }
  }

  /// Whether the indicator must be lit for an app while location services are on.
  func isLightDue(for app: AppID, _ isWanting: (AppID) -> Bool) -> Bool {
    // In the grace of an app without updates nothing can be delivered.
    backgroundRight(of: app).map { $0 != .foreground || isWanting(app) } ?? false
  }

  /// The apps in the background that may receive locations, each with its right.
  var backgroundRights: [(app: AppID, right: UseRight)] {
    (declarations.map(\.app) + doorReaders).compactMap { app in
      backgroundRight(of: app).map { (app, $0) }
    }
  }

  /// The right by which an app in the background may receive locations; nil without a right, and in the foreground.
  private func backgroundRight(of app: AppID) -> UseRight? {
    let authorization = authorization(of: app, file: nil)
    guard !isInFront(app), authorization.isGiven, !needsServiceSession(app) else { return nil }
    return right(of: app, authorization)
  }
}

extension Grant {
  /// Whether an answer about an app counts for a program; a grant of an app without a manifest is bound to one file.
  fileprivate func counts(for app: AppID, _ file: ProgramFile?) -> Bool {
    guard case .unlisted = app, authorization != .denied else { return true }
    return self.file == file && !fitsNoFile
  }
}
