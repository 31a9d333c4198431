import BinnacleModel
import StateLog

/// The reader of the changes that `binnacle why` names.
enum AdviceReader {
  /// A user that may give rights to apps, or an unlocked console.
  case `operator`
  /// A user that may only take rights away from the own apps, or a locked console, which changes nothing.
  case anyUser

  init(_ peer: Peer) { self = peer.mayOperate ? .operator : .anyUser }

  /// A command that gives a right, and the users whose command it is.
  func command(_ words: String) -> String {
    switch self {
    case .operator: "binnacle \(words)"
    case .anyUser: "binnacle \(words) (by an operator)"
    }
  }
}

/// The changes of an app's rights and state, for `binnacle why`.
///
/// The engine carries out each command in the state of the app in which it is named.
extension Engine {
  /// The change that allows an app.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - words: an authorization and an accuracy as words of the command; empty: the usual ones.
  ///   - reader: the reader.
  /// - Returns: the change.
  func adviceToAllow(
    _ app: AppID, _ words: [String] = [], for reader: AdviceReader
  ) -> String {
    let manifest = "give it a manifest in apps.d"
    // An app whose path is too long for a record gets no answer.
    guard app.grantRecord != nil else { return manifest }
    let command = reader.command((["allow", app.shellWord] + words).joined(separator: " "))
    // The answer is for the program's file, which only a connected process shows.
    guard case .unlisted = app, apps.file(of: app) == nil else { return command }
    return apps.state(of: app) == .notRunning ? "start it, and then \(command)" : manifest
  }

  /// The change that brings an app to the foreground.
  ///
  /// For an app without a manifest, only its terminal decides. An order of a person changes nothing.
  func adviceToBringToFront(_ app: AppID, for reader: AdviceReader) -> String {
    let start = adviceToStart(app, for: reader)
    if !app.hasManifest || apps.state(of: app) == .notRunning { return start }
    if (try? requireOpen(app)) == nil { return "its end, and then \(start)" }
    return reader.command("foreground \(app.shellWord)")
  }

  /// The change that starts an app; an app without a manifest is in use only with a terminal.
  func adviceToStart(_ app: AppID, for reader: AdviceReader) -> String {
    guard app.hasManifest else { return "start it in a terminal" }
    guard apps.lives.isConnected else { return "start its program" }
    if apps.lives[app]?.state == .starting { return "its start" }
    return reader.command("start \(app.shellWord)")
  }

  /// The change of the board's profile that no longer restricts an app.
  func adviceToEndRestriction() -> String {
    let key = "Restricted= in [Location] of the board's profile"
    return apps.restricted == .all
      ? "another value than 'all' for \(key)" : "remove the app from \(key)"
  }

  /// The press that allows an app; nil unless its request is shown and a button answers it.
  func pressThatAllows(_ app: AppID) -> String? {
    guard apps.prompts.shown?.app == app else { return nil }
    let button = configuration.panel.buttons.first { $0.actions.short == .allow }
    return button.map { "a short press of \($0.name)" }
  }
}
