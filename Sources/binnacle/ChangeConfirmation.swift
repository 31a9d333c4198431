import BinnacleBasics
import BinnacleModel
import BinnaclePosix

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

  /// Whether a confirmation needs the apps before the change.
  var needsAppsBefore: Bool { !isAllowance }

  /// Whether the apps after the change show its effect.
  ///
  /// - Parameter isConfirmed: whether the change gets a confirmation; a note is for scripts, too.
  /// - Returns: whether to list the apps again.
  func needsAppsAfterwards(isConfirmed: Bool) -> Bool {
    isAllowance || (isConfirmed && request == .home)
  }

  private var isAllowance: Bool { if case .allow = request { true } else { false } }

  /// The reason why an allowed app gets no locations by this answer; nil if the answer takes effect.
  var note: String? {
    guard isAllowance, let app else { return nil }
    let row = lists.last?.first { $0[.rowID] == app }
    if row?[.rowAuthorization] == "restricted" {
      return "\(app) stays restricted by Restricted= of [Location] in the board's profile"
    }
    guard case .door(_, .user(let number)) = AppID(doorReader: app),
      Users.entry(of: "\(number)") == nil
    else { return nil }
    return "this board has no user \(number) now; 'id -u NAME' prints the number of a user"
  }

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
    if lists.count > 1, let app = ChangeConfirmation.foreground(of: lists[lists.count - 1]) {
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
