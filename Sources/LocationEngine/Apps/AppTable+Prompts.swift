import BinnacleBasics
import BinnacleModel

/// The requests of apps that a person has to answer.
extension AppTable {
  /// Raises a prompt for each app that may ask, and withdraws the prompts of all other apps.
  ///
  /// - Parameters:
  ///   - hasUpdates: whether an app has updates open.
  ///   - time: the time of new requests; nil if the time is unknown.
  ///   - now: the instant.
  /// - Returns: the prompt that is shown from now on; nil if the shown prompt has not changed.
  mutating func settlePrompts(
    hasUpdates: (AppID) -> Bool, time: UTCTime?, at now: Instant
  ) -> Prompt? {
    var asking: [Prompt] = []
    for client in clients where !isServedAlways(client.peer) {
      guard var prompt = request(of: client.peer, hasUpdates: hasUpdates(client.peer.app)) else {
        continue
      }
      prompt.time = time
      asking.append(prompt)
      if isInFront(prompt.app) { _ = prompts.add(prompt) }
    }
    prompts.remove { old in !asking.contains { $0.isSameRequest(as: old) } }
    return prompts.settle(isInFront: isInFront, at: now)
  }

  /// The request that a process has for a person; nil without a request.
  private func request(of peer: Peer, hasUpdates: Bool) -> Prompt? {
    let app = peer.app
    let declaration = declaration(of: app)
    let isExplicit = declaration?.needsServiceSession == true
    let wishes = sessions.objects(of: app).map(\.session)
    switch authorization(of: app, file: peer.file) {
    case .restricted, .denied: return nil
    case .notDetermined:
      let isWanted = wishes.contains { $0.wantsWhenInUse && !(isExplicit && $0.isImplicit) }
      guard canAsk(app), isWanted || hasUpdates && !isExplicit else { return nil }
      return Prompt(app, .whenInUse, file: peer.file)
    case .whenInUse:
      if wishes.contains(where: \.wantsAlways), declaration?.alwaysText != nil,
        grants[app]?.isAlwaysAnswered == false
      {
        return Prompt(app, .always, file: peer.file)
      }
    case .always: break
    }
    guard isReduced(app) else { return nil }
    let purpose = wishes.lazy.compactMap(\.fullAccuracyPurpose).first {
      declaration?.temporaryText(for: $0) != nil && !temporaryAccuracy.isRefused(app, $0)
    }
    return purpose.map { Prompt(app, .fullAccuracy, purpose: $0, file: peer.file) }
  }
}

extension AppSession {
  /// Whether the object wants locations while the app is in use.
  var wantsWhenInUse: Bool {
    switch self {
    case .backgroundActivity, .standardUpdates, .authorizationRequest: true
    case .service(let requirement, _): requirement != .none
    case .fullAccuracyRequest, .liveActivity, .backgroundTask: false
    }
  }

  /// Whether the object wants locations also while the app is not in use.
  var wantsAlways: Bool {
    switch self {
    case .service(.always, _), .authorizationRequest(isAlways: true): true
    case .service, .authorizationRequest, .backgroundActivity, .standardUpdates,
      .fullAccuracyRequest, .liveActivity, .backgroundTask:
      false
    }
  }

  /// The purpose for which the object wants full accuracy.
  var fullAccuracyPurpose: String? {
    switch self {
    case .service(_, let purpose): purpose
    case .fullAccuracyRequest(let purpose): purpose
    case .backgroundActivity, .standardUpdates, .authorizationRequest, .liveActivity,
      .backgroundTask:
      nil
    }
  }

  /// Whether the object counts as a service session only in an app without `RequireExplicitServiceSession`.
  fileprivate var isImplicit: Bool {
    switch self {
    case .backgroundActivity, .standardUpdates: true
    case .service, .authorizationRequest, .fullAccuracyRequest, .liveActivity, .backgroundTask:
      false
    }
  }
}
