import BinnacleBasics
import BinnacleModel

/// The confirmation of a change: the whole ID of the app, which the command line may shorten, and a sentence.
struct ChangeConfirmation {
  private let request: ConsentRequest
  /// The apps before the change, and after it if they were listed again.
  private var lists: [[Report]] = []
  /// The rows of a list whose last part has not come.
  private var pieces: [Report] = []

  init(of request: ConsentRequest) {
    self.request = request
  }

  /// Takes a part of a list of apps; returns whether it was the last part.
  mutating func take(_ rows: [Report], isLast: Bool) -> Bool {
    pieces += rows
    guard isLast else { return false }
    lists.append(pieces)
    pieces = []
    return true
  }

  /// Whether only the apps after the change show its effect.
  var needsAppsAfterwards: Bool { request == .home }

  /// Whether the apps were listed before and after the change.
  var hasAppsAfterwards: Bool { lists.count > 1 }

  /// The app; nil if it is not known.
  var app: String? { parts.app }

  /// The line for a person.
  var text: String { parts.text }

  private var parts: (app: String?, text: String) {
    switch request {
    case .allow(let name, _, _): named("allowed", name)
    case .deny(let name): named("denied", name)
    case .reset(let name): named("the answer is forgotten", name)
    case .foreground(let name): named("in the foreground", name)
    case .background(let name): named("in the background", name)
    case .start(let name): named("started", name)
    case .quit(let name): named("closed", name)
    case .home: home
    case .apps, .grants, .prompts, .watchPrompts, .who, .audit, .why, .output: (nil, "done")
    }
  }

  private func named(_ change: String, _ name: String) -> (app: String?, text: String) {
    let app = whole(name)
    return (app, "\(change): \(app)")
  }

  /// The app that has come to the foreground, or else the app that has left it.
  private var home: (app: String?, text: String) {
    if hasAppsAfterwards, let app = ChangeConfirmation.foreground(of: lists[lists.count - 1]) {
      return (app, "in the foreground: \(app)")
    }
    guard let app = lists.first.flatMap({ ChangeConfirmation.foreground(of: $0) }) else {
      return (nil, "done")
    }
    return (app, "in the background: \(app)")
  }

  /// The app with a manifest in the foreground; an app without a manifest, such as `1000:/usr/bin/tracker`, stays there.
  private static func foreground(of apps: [Report]) -> String? {
    let names: [String] = apps.filter { $0[.rowState] == "foreground" }.compactMap { $0[.rowID] }
    return names.first { !$0.contains(":") }
  }

  /// The app with a name, or else the only one whose name begins so, as the daemon resolves it.
  private func whole(_ name: String) -> String {
    let names: [String] = (lists.first ?? []).compactMap { $0[.rowID] }
    let found = names.filter { $0.hasPrefix(name) }
    return names.contains(name) || found.count != 1 ? name : found[0]
  }
}
