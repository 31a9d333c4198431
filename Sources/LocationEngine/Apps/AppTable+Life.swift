import BinnacleBasics
import BinnacleModel

/// The life of apps that the launcher runs.
extension AppTable {
  /// The right by which an app gets locations in the background, whether or not it has a process; nil without one.
  func rightInBackground(of app: AppID) -> UseRight? {
    guard services.isOn, app.hasManifest, !isInFront(app), !needsServiceSession(app) else {
      return nil
    }
    let authorization = authorization(of: app, file: nil)
    guard authorization.isGiven, let right = right(of: app, authorization), right != .foreground
    else { return nil }
    return right
  }

  /// Whether the launcher may run an app again for its outstanding updates and sessions.
  func isRelaunchable(_ app: AppID) -> Bool {
    lives.isConnected && lives[app]?.isQuit != true && rightInBackground(of: app) != nil
  }

  /// Whether an app that has no process, or whose process does not iterate yet, has a right to the present location.
  func earnsUpdates(_ app: AppID) -> Bool {
    guard lives.isConnected, lives[app]?.isQuit != true, !mayHaveUnreadManifest(app) else {
      return false
    }
    if rightInBackground(of: app) != nil { return light == .lit }
    return isInFront(app) && services.isOn && !needsServiceSession(app)
      && authorization(of: app, file: nil).isGiven
  }

  /// The present needs of an app of the launcher.
  func needs(of life: AppLife) -> AppLife.Needs {
    let app = life.app
    let own = clients.filter { $0.peer.app == app && !$0.peer.isOperator }
    let right = rightInBackground(of: app)
    var resumesAt = right == nil ? nil : Instant.zero
    if right == .alwaysSession, case .frozen(let since) = life.state {
      resumesAt = since + lives.settings.wakeInterval
    }
    // Without the indicator waiting locations would only wait on.
    if light != .lit, !life.queue.hasReasons { resumesAt = nil }
    return AppLife.Needs(
      mustRun: foreground.app == app || foreground.isInGrace(app)
        || own.contains { !$0.peer.isLaunched },
      hasTask: sessions.isHeld(.backgroundTask, by: app),
      resumesAt: resumesAt,
      mayLaunch: !hasProcess(app) && sessions.isAway(app) && isRelaunchable(app)
        && (light == .lit || life.recalledUntil != nil))
  }

  /// When the life of an app changes without an event.
  var livesDeadline: Instant? {
    guard lives.isConnected else { return nil }
    return lives.lives.reduce(nil) { earlier($0, $1.nextDeadline(needs(of: $1))) }
  }

  /// The phase of a client's app; nil for an unknown client.
  func phase(of client: ClientID) -> AppPhase? {
    guard let app = self.client(client)?.peer.app else { return nil }
    if isInFront(app) { return .active }
    return lives[app]?.isNoticed == true ? .suspending : .background
  }

  /// A person has closed an app: its sessions and its updates end.
  mutating func quit(_ app: AppID, at now: Instant) {
    sessions.end(app)
    outstanding.end(app)
    changeForeground(at: now) { $0.quit(app) }
    temporaryAccuracy.forget(app)
  }

  /// A process has opened updates or made a session.
  mutating func opened(by peer: Peer) {
    guard peer.isLaunched, !peer.isOperator, lives[peer.app]?.hasOpened != true else { return }
    lives.change(peer.app) { $0.opened() }
  }

  /// The process of an app that the launcher ran has ended.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - isRejected: whether the app has given up its sessions and updates: the process ended with success within `RejoinWindow` of its
  ///     start, and had opened no updates and made no session.
  ///   - now: the instant.
  mutating func processEnded(_ app: AppID, isRejected: Bool, at now: Instant) {
    appLeft(app, at: now)
    // A process whose manifest could not be used cannot take anything up.
    if isRejected, !mayHaveUnreadManifest(app) {
      sessions.connected(app, at: now)
      outstanding.connected(app, at: now)
    } else {
      // The connections of the ended processes may still be open.
      if !hasProcess(app, where: { !$0.isLaunched }) { sessions.processEnded(app) }
      outstanding.processEnded(app, at: now)
    }
  }

  /// Removes the updates that wait for sequences that no process will take up.
  mutating func dropLapsedUpdates() {
    for life in lives.lives { dropLapsedUpdates(of: life.app) }
  }

  /// Removes the updates of an app that wait for sequences that no process will take up, and no open sequence waits for.
  mutating func dropLapsedUpdates(of app: AppID) {
    guard let queue = lives[app]?.queue, !queue.isEmpty else { return }
    for configuration in LiveConfiguration.allCases
    where !outstanding.isAwaited(configuration, by: app) && !queue.isAwaitedLate(configuration) {
      lives.change(app) { $0.queue.forget(configuration) }
    }
  }

  /// Removes the waiting locations of apps that may not have them any more.
  mutating func dropForbiddenUpdates() {
    for life in lives.lives where !life.queue.isEmpty {
      let isForbidden = !services.isOn || !authorization(of: life.app, file: nil).isGiven
      guard isForbidden || isReduced(life.app) else { continue }
      lives.change(life.app) { $0.queue.removeLocations(keepsReduced: !isForbidden) }
    }
  }
}
