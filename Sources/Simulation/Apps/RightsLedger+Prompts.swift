import BinnacleModel

/// The requests that a person is shown.
extension RightsLedger {
  /// Checks the list of open requests.
  func checkPrompts(_ rows: [Report]) -> String? {
    let prompts = rows.compactMap { row -> (app: Int, request: String)? in
      guard let name: String = row[.rowID],
        let app = model.apps.firstIndex(where: { "\($0.id)" == name }),
        let request: String = row[.rowRequest]
      else { return nil }
      return (app, request)
    }
    for prompt in prompts {
      if let wrong = asked(prompt.app, prompt.request) { return wrong }
    }
    for app in model.apps.indices where model.mustAsk(app) && !doubtful.contains(app) {
      if !prompts.contains(where: { $0.app == app && $0.request == Authorization.whenInUse.name }) {
        return "no request of an app that asks: \(model.apps[app].id)"
      }
    }
    return nil
  }

  /// Checks that a request may be open.
  private func asked(_ app: Int, _ request: String) -> String? {
    if doubtful.contains(app) { return nil }
    let id = model.apps[app].id
    guard model.isRunning(app) else { return "a request of an app without a process: \(id)" }
    let isUnanswered =
      switch request {
      case Authorization.whenInUse.name: model.isUnanswered(app)
      case Authorization.always.name: model.isUpgradeUnanswered(app)
      case _: model.isReduced(app)
      }
    return isUnanswered ? nil : "a person is asked again for an answer: \(id), \(request)"
  }

  /// Checks the line of the log that puts a request in front of a person.
  mutating func logged(_ text: String) -> String? {
    for app in model.apps.indices {
      let name = "\(model.apps[app].id)"
      if text.hasPrefix("\(name): may use your exact location") { model.madeExact(app) }
      if text.hasPrefix("\(name): closed by a person") {
        if model.isRunning(app) {
          return "an app that the launcher has not started is closed: \(name)"
        }
        model.closed(app)
      }
      let start = "prompt: \(name) would like to use "
      guard text.hasPrefix(start) else { continue }
      promptCount += 1
      if !model.isInFront(app) { return "a request of an app in the background is shown: \(name)" }
      let wish = text.dropFirst(start.count)
      if wish.hasPrefix("your exact") { return asked(app, "full_accuracy") }
      let isUpgrade = wish.contains("even when it is not in use.")
      return asked(app, isUpgrade ? Authorization.always.name : Authorization.whenInUse.name)
    }
    return nil
  }
}

extension ConsentRequest {
  /// The name of the app that a person answers for; nil if the request is no answer.
  var answeredApp: String? {
    switch self {
    case .allow(let app, _, _), .deny(let app), .reset(let app): app
    case _: nil
    }
  }
}
