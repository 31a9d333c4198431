import BinnacleModel

/// The rights of apps that follow from the facts.
extension RightsModel {
  func isRunning(_ app: Int) -> Bool {
    launched.contains(app) || processes.contains { $0.app == app }
  }

  func isInFront(_ app: Int) -> Bool {
    if apps[app].manifest != nil { return front == app && isRunning(app) }
    return processes.contains { $0.app == app && $0.hasTerminal }
  }

  /// Whether the app is in use.
  func isInUse(_ app: Int) -> Bool {
    isInFront(app) || apps[app].graceEnd != nil || isKeptInUse(app)
  }

  /// Whether a session keeps the app in use in the background.
  func isKeptInUse(_ app: Int) -> Bool {
    [Kind.background, .classic, .activity].contains { apps[app].isHeld($0) }
  }

  /// Whether the answer of a person allows locations for a program.
  func isAllowed(_ app: Int, file: ProgramFile?) -> Bool {
    guard let answer = answer(app, file: file) else { return false }
    return answer.authorization == .whenInUse || answer.authorization == .always
  }

  /// The answer that counts for a program; the grant of an unlisted app is bound to its file.
  func answer(_ app: Int, file: ProgramFile?) -> Answer? {
    guard let answer = apps[app].answer else { return nil }
    if case .unlisted = apps[app].id, answer.authorization != .denied, answer.file != file {
      return nil
    }
    return answer
  }

  /// Whether the manifest requires a service session, and the app holds none.
  func lacksServiceSession(_ app: Int) -> Bool {
    guard apps[app].manifest?.needsServiceSession == true else { return false }
    return ![Kind.serviceNone, .serviceWhenInUse, .serviceAlways].contains { apps[app].isHeld($0) }
  }

  /// Whether a process may receive locations, apart from the lamp.
  func mayReceive(_ process: Process) -> Bool {
    let app = process.app
    guard isOn, isAllowed(app, file: process.file), !lacksServiceSession(app) else { return false }
    if isInUse(app) { return true }
    return apps[app].answer?.authorization == .always && apps[app].isHeld(.serviceAlways)
  }

  /// Whether an app gets only the cell of a grid.
  func isReduced(_ app: Int) -> Bool {
    apps[app].answer?.isReduced == true && !apps[app].isExact
  }

  /// Whether the lamp must be lit: an app in the background may receive locations.
  var isLampDue: Bool {
    isOn
      && apps.indices.contains { app in
        guard apps[app].manifest != nil, !isInFront(app), isAllowed(app, file: nil),
          !lacksServiceSession(app)
        else { return false }
        if isKeptInUse(app) { return true }
        if apps[app].answer?.authorization == .always, apps[app].isHeld(.serviceAlways) {
          return true
        }
        return apps[app].graceEnd != nil && wantsUpdates(app)
      }
  }

  func wantsUpdates(_ app: Int) -> Bool {
    processes.contains { $0.app == app && !$0.sequences.isEmpty }
  }
}
