/// A request about the rights of apps.
///
/// An app is named by its text (`AppID.description`), or by a beginning of the text that no other app has.
public enum ConsentRequest: Equatable, Codable, Sendable {
  /// List the apps: those with a manifest, with a grant, or with a process.
  case apps
  /// List the answers that persons have given.
  case grants
  /// List the open requests of apps.
  case prompts
  /// List the open requests of apps now, and again at each change.
  case watchPrompts
  /// List the present uses of locations.
  case who
  /// List the epochs of background use.
  case audit
  /// List the reasons for what an app gets or does not get; nil: of every app.
  case why(app: String?)
  /// List the latest lines that an app of the launcher has printed; `isFollowed`: then each further line, too.
  case output(app: String, isFollowed: Bool)
  /// Give an app this authorization; nil: the authorization that the app requests, else the one that it has, else when in use.
  ///
  /// `isReduced` is nil for the accuracy of the present answer, else of the app's manifest. A change of the accuracy without an
  /// authorization leaves a request of the app for `always` open.
  case allow(app: String, Allowance?, isReduced: Bool? = nil)
  /// Deny locations to an app.
  case deny(app: String)
  /// Forget the answer for an app, so that the app may ask again.
  case reset(app: String)
  /// Bring an app of the manifests to the foreground.
  case foreground(app: String)
  /// Move an app of the manifests to the background.
  case background(app: String)
  /// Move the app in the foreground to the background, or bring the last one back.
  case home
  /// Start an app of the manifests by the launcher, in the foreground.
  case start(app: String)
  /// Close an app: its sessions and its updates end, and nothing launches it until a person starts it.
  case quit(app: String)

  /// An authorization that a person can give.
  public enum Allowance: UInt8, CaseIterable, Codable, Sendable {
    case whenInUse = 1
    case always = 2

    public var authorization: Authorization {
      switch self {
      case .whenInUse: .whenInUse
      case .always: .always
      }
    }
  }
}
