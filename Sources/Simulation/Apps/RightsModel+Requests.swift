import BinnacleBasics
import BinnacleModel

/// The requests of apps that wait for a person.
extension RightsModel {
  /// Whether a person may be asked for locations while the app is in use: there is no answer that counts.
  func isUnanswered(_ app: Int) -> Bool {
    processes.contains { $0.app == app && !$0.isReplaced && answer(app, file: $0.file) == nil }
  }

  /// Whether a person may be asked for the upgrade to `always`.
  func isUpgradeUnanswered(_ app: Int) -> Bool {
    apps[app].answer.map { $0.authorization == .whenInUse && !$0.isAlwaysAnswered } ?? false
  }

  /// Whether a request for locations must be open: services are on, and the app is in the foreground, wants locations, and has
  /// no answer.
  ///
  /// Updates and objects of an app want locations. In an app whose manifest requires a service session, only a service
  /// session with a requirement and a request of `CLLocationManager` do.
  func mustAsk(_ app: Int) -> Bool {
    let manifest = apps[app].manifest
    let canAsk = manifest.map { $0.whenInUseText != nil } ?? true
    guard isOn, isInFront(app), canAsk else { return false }
    let isExplicit = manifest?.needsServiceSession == true
    return processes.contains { process -> Bool in
      guard process.app == app, !process.isReplaced, answer(app, file: process.file) == nil else {
        return false
      }
      if !isExplicit, !process.sequences.isEmpty { return true }
      return process.objects.contains {
        if $0.session == .authorizationRequest(isAlways: true), let manifest,
          manifest.alwaysText == nil
        {
          // The request has no effect without both usage texts.
          return false
        }
        return $0.session.asksForLocations(isExplicit: isExplicit)
      }
    }
  }

  /// A person has given full accuracy until the app is no longer in use.
  mutating func madeExact(_ app: Int) {
    apps[app].isExact = true
    settle()
  }

  /// A person has chosen reduced accuracy.
  mutating func madeReduced(_ app: Int) { apps[app].isExact = false }

  /// The processes of an unlisted app whose file had the grant before lose it to another file.
  mutating func noteReplaced(_ app: Int, _ answer: Answer?) {
    func allowedFile(_ answer: Answer?) -> ProgramFile? {
      let isGiven = [.whenInUse, .always].contains(answer?.authorization)
      return isGiven && apps[app].manifest == nil ? answer?.file : nil
    }
    // A denial and a reset leave the programs that were replaced.
    guard let file = allowedFile(answer) else { return }
    let former = allowedFile(apps[app].answer)
    for index in processes.indices where processes[index].app == app {
      let own = processes[index].file
      if own == file {
        processes[index].isReplaced = false
      } else if former != nil, own == former {
        processes[index].isReplaced = true
      }
    }
  }
}

extension AppSession {
  /// Whether an object wants locations while its app is in use; `isExplicit`: the app's manifest requires a service session.
  fileprivate func asksForLocations(isExplicit: Bool) -> Bool {
    switch self {
    case .authorizationRequest, .service(.whenInUse, _), .service(.always, _): true
    case .backgroundActivity, .standardUpdates: !isExplicit
    case .service(.none, _), .fullAccuracyRequest, .liveActivity, .backgroundTask: false
    }
  }
}
