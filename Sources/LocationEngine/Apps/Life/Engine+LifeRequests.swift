import BinnacleBasics
import BinnacleModel

/// The requests of persons to start and to close apps.
extension Engine {
  /// Starts an app for a person, in the foreground; the requester is answered when the app runs.
  mutating func startApp(
    _ app: AppID, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    try requireManifest(app)
    if let life = apps.lives[app], life.isRunning {
      try requireOpen(app)
      apps.bringToForeground(app, at: now)
      return answer(requester, failure: nil, into: &effects)
    }
    // The commit of the close removes the records of the app's sessions.
    if storage.state.isClosing(app) { try requireOpen(app) }
    guard apps.state(of: app) == .notRunning else {
      throw ConsentRefusal(
        .notPossible,
        "\(app) runs already, and the launcher has not started it; binnacle foreground \(app.shellWord) brings it to the foreground"
      )
    }
    guard apps.lives.isConnected else {
      throw ConsentRefusal(
        .notPossible,
        "no launcher is connected: start binnacle-launch, or the program of \(app) itself")
    }
    guard apps.lives[app]?.state != .starting else {
      throw ConsentRefusal(.notPossible, "\(app) is being started")
    }
    let order = apps.lives.change(app) { life in
      life.requester = requester
      return life.start(isForLocation: false)
    }
    effects.append(.launcher(app, order))
    removeClose(of: app, at: now, into: &effects)
  }

  /// Closes an app for a person; the requester is answered when the app has ended and the log has answered.
  ///
  /// Its sessions and updates end at once, so nothing launches the app until a person starts it.
  mutating func quitApp(
    _ app: AppID, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) throws(ConsentRefusal) {
    try requireManifest(app)
    let foreign = apps.clients.filter { $0.peer.app == app && !$0.peer.isLaunched }
    guard apps.lives.isRunning(app) || foreign.isEmpty else {
      let processes = Set(foreign.map(\.peer.processID)).sorted().map(String.init)
      throw ConsentRefusal(
        .notPossible,
        "the launcher has not started \(app): end it yourself (process \(processes.joined(separator: ", ")))"
      )
    }
    quit(app, at: now)
    effects.append(
      .log(.notice, "\(app): closed by a person; nothing launches it until a person starts it"))
    let (earlier, wasQuit) = apps.lives.change(app) { ($0.takeRequester(), $0.isQuit) }
    answer(earlier, failure: wasQuit ? nil : "\(app) was closed by a person", into: &effects)
    let isConnected = apps.lives.isConnected
    let order = apps.lives.change(app) { life in
      life.requester = requester
      return life.quit(isConnected: isConnected, at: now)
    }
    if let order { effects.append(.launcher(app, order)) }
    decideClose(of: app, at: now, into: &effects)
  }

  /// Ends the sessions and the updates of an app.
  mutating func quit(_ app: AppID, at now: Instant) {
    updates.forgetOutstanding(of: app)
    apps.quit(app, at: now)
  }

  /// Ends the apps of the launcher whose manifests were removed, because no person can close such an app.
  ///
  /// Their sessions and updates end at once. Without a launcher this waits until one reports the apps that run.
  /// A manifest that could not be used at the start is not a removed one.
  mutating func endUndeclared(at now: Instant, into effects: inout [Effect]) {
    guard apps.lives.isConnected else { return }
    for app in apps.lives.lives.map(\.app) where apps.declaration(of: app) == nil {
      if apps.mayHaveUnreadManifest(app) { continue }
      guard let order = apps.lives.change(app, { $0.undeclared(at: now) }) else { continue }
      quit(app, at: now)
      effects.append(.log(.notice, "\(app): is ended, because its manifest was removed"))
      effects.append(.launcher(app, order))
    }
  }

  /// HOME was held: closes the app in the foreground, else the last one.
  mutating func quitFrontApp(
    button: String, at now: Instant, into effects: inout [Effect]
  ) {
    guard let app = apps.foreground.app ?? apps.foreground.last else {
      return effects.append(.log(.info, "button \(button): no app was in the foreground yet"))
    }
    do throws(ConsentRefusal) {
      try quitApp(app, for: .button(button), at: now, into: &effects)
    } catch {
      return effects.append(.log(.info, "button \(button): \(error.text)"))
    }
    rightsChanged(at: now, into: &effects)
  }
}
