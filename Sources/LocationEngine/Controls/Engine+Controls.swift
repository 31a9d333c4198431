import BinnacleBasics
import BinnacleModel

/// The actions of buttons.
extension Engine {
  /// Carries out the actions of the gestures since the last event.
  mutating func takePresses(at now: Instant, into effects: inout [Effect]) {
    for press in panel.takePresses() {
      if press.showsPresence { personPresent(at: press.button, at: now, into: &effects) }
      switch press.action {
      case .none: continue
      case .services:
        setServices(isOn: !apps.services.isOn, for: .button(press.button), at: now, into: &effects)
      case .allow, .deny:
        answerPrompt(with: press, at: now, into: &effects)
      case .home: pressHome(button: press.button, at: now, into: &effects)
      case .mark: mark(press, at: now, into: &effects)
      case .quit: quitFrontApp(button: press.button, at: now, into: &effects)
      }
    }
  }

  /// Marks the position in the track, and informs the app in the foreground.
  ///
  /// A press is no location, so the app needs no authorization for it. An app in the background gets no press: the press
  /// is for the app that the person uses.
  private mutating func mark(
    _ press: Panel.Press, at now: Instant, into effects: inout [Effect]
  ) {
    let track = markTrack(at: now, into: &effects)
    let clients = buttonWatch.clients.filter { client in
      apps.client(client).map { apps.isInFront($0.peer.app) } ?? false
    }
    if let time = time(at: now) {
      let press = ButtonPress(button: press.button, gesture: press.gesture, time: time)
      for client in clients { effects.append(.client(client, .button(press))) }
    }
    let programs =
      clients.isEmpty
      ? "no program in the foreground waits for presses" : "programs informed: \(clients.count)"
    effects.append(.log(.info, "button \(press.button): \(programs); \(track)"))
  }

  /// Keeps a mark at the present position; returns the outcome for the log.
  ///
  /// The track is the board's, so no app has to get the position. While updates pause, the board
  /// rests, and the last position counts.
  private mutating func markTrack(at now: Instant, into effects: inout [Effect]) -> String {
    guard storage.tracks.settings != nil else { return "no track is kept" }
    guard apps.services.isOn else {
      return "no mark in the track, because location services are off"
    }
    guard need == .rest || isFixFresh(at: now), let last = updates.lastFix else {
      return "no mark in the track, because \(reasonForNoPosition)"
    }
    var fix = last.fix
    fix.time = fix.time + (now - last.instant)
    return storage.tracks.marked(fix, at: now, into: &effects)
      ? "the track has a mark" : "no mark in the track, because its position is not possible"
  }

  private var reasonForNoPosition: String {
    if case .asleep(.noClient, _) = power.state {
      return "the receiver is off, since no app wants locations"
    }
    return "the position is not known"
  }
}
