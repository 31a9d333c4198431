import BinnacleBasics
import BinnacleModel

/// The requests of apps that a person has to answer.
extension AppTable {
  /// Raises a prompt for each app that may ask, and withdraws the prompts of all other apps.
  ///
  /// While location services are off an answer would change nothing, so no app asks.
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
    for client in clients where services.isOn && !isServedAlways(client.peer) {
      let (app, file) = (client.peer.app, client.peer.file)
      guard var prompt = request(of: app, file, hasUpdates: hasUpdates(app)) else { continue }
      prompt.time = time
      asking.append(prompt)
    }
    // A request that waits takes the place of a withdrawn one at once.
    prompts.remove { old in !asking.contains { $0.isSameRequest(as: old) } }
    for prompt in asking where isInFront(prompt.app) { _ = prompts.add(prompt) }
    return prompts.settle(isInFront: isInFront, at: now)
  }

  /// Whether a person has to answer a request whose reason is a session object.
  ///
  /// Without a place in the queue the request waits, and its app must not give it up.
  func isAsking(_ object: SessionTable.Object, _ file: ProgramFile?) -> Bool {
    if prompts.contains(where: { $0.app == object.app && object.session.asks(for: $0) }) {
      return true
    }
    guard prompts.obstacle(to: object.app) != nil, isInFront(object.app),
      let request = request(of: object.app, file, hasUpdates: false)
    else { return false }
    return object.session.asks(for: request)
  }

  /// Whether an app in the foreground has a request for a person, also while it waits for a place or for location services.
  func isAsking(_ app: AppID, _ file: ProgramFile?, hasUpdates: Bool) -> Bool {
    isInFront(app) && request(of: app, file, hasUpdates: hasUpdates) != nil
  }

  /// Whether an app may ask for locations at all times, for which its manifest needs both usage texts.
  func canAskForAlways(_ app: AppID) -> Bool {
    guard let declaration = declaration(of: app) else { return false }
    return declaration.whenInUseText != nil && declaration.alwaysText != nil
  }

  /// The request that a process has for a person; nil without a request.
  private func request(of app: AppID, _ file: ProgramFile?, hasUpdates: Bool) -> Prompt? {
    let declaration = declaration(of: app)
    let isExplicit = declaration?.needsServiceSession == true
    let wishes = sessions.objects(of: app).map(\.session)
    switch authorization(of: app, file: file) {
    case .restricted, .denied: return nil
    case .notDetermined:
      let isWanted = wishes.contains {
        $0.wantsWhenInUse && !(isExplicit && $0.isImplicit) && !hasNoEffect($0, in: app)
      }
      guard canAsk(app), isWanted || hasUpdates && !isExplicit else { return nil }
      return Prompt(app, .whenInUse, file: file)
    case .whenInUse:
      if wishes.contains(where: \.wantsAlways), canAskForAlways(app),
        grants[app]?.isAlwaysAnswered == false
      {
        return Prompt(app, .always, file: file)
      }
    case .always: break
    }
    guard isReduced(app) else { return nil }
    let purpose = wishes.lazy.compactMap(\.fullAccuracyPurpose).first {
      declaration?.temporaryText(for: $0) != nil && !temporaryAccuracy.isRefused(app, $0)
    }
    return purpose.map { Prompt(app, .fullAccuracy, purpose: $0, file: file) }
  }

  /// Whether an object is a request of a manager for `always`, made by an app whose manifest has no usage text for it.
  ///
  /// An app without a manifest has no usage texts at all, and asks for use in the foreground.
  private func hasNoEffect(_ session: AppSession, in app: AppID) -> Bool {
    session == .authorizationRequest(isAlways: true) && app.hasManifest && !canAskForAlways(app)
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

extension AppSession {
  /// Whether the object is a reason for a prompt.
  fileprivate func asks(for prompt: Prompt) -> Bool {
    switch prompt.request {
    case .whenInUse: wantsWhenInUse
    case .always: wantsAlways
    case .fullAccuracy: fullAccuracyPurpose == prompt.purpose
    }
  }
}
