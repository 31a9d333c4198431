import BinnacleModel

/// The limits of connected clients: operators and apps never wait for places of another user's clients.
///
/// Root, the daemon's own user and apps with a manifest have places of their own. All other programs share the rest.
struct ClientPlaces: Equatable {
  /// A place, identified by the group of clients that is counted together.
  enum Place: Equatable {
    /// The places of root, or of the daemon's own user.
    case `operator`(userID: UInt32)
    /// The places of an app with a manifest.
    case app(String)
    /// The places of a user with a manifest, for programs that are not identified as an app.
    ///
    /// The daemon often has no permission to see which of the user's programs the app is.
    case userOfApp(UInt32)
    /// A place of the consoles on serial lines, and of their commands.
    case console
    /// A place of the places shared by all users.
    case shared(userID: UInt32)
  }

  /// `clientsMax`: shared places, and places of each operator; `clientsPerUserMax`: places of an app, and shared places that
  /// a user may hold.
  private let settings: ClientSettings

  init(_ settings: ClientSettings = ClientSettings()) { self.settings = settings }

  /// The reason for a refusal of a place; nil if there is a place.
  func refusal(of place: Place, among held: [Place]) -> String? {
    let max =
      switch place {
      case .operator: settings.clientsMax
      case .app, .userOfApp, .console, .shared: settings.clientsPerUserMax
      }
    let count = held.count { $0 == place }
    guard count < max else {
      let of =
        switch place {
        case .app(let identifier): "app \(identifier)"
        case .console: "consoles"
        case .operator(let userID), .userOfApp(let userID), .shared(let userID): "user \(userID)"
        }
      return "\(count) clients of \(of) are connected, which is the limit"
    }
    guard case .shared = place else { return nil }
    let sharedCount = held.count { if case .shared = $0 { true } else { false } }
    guard sharedCount < settings.clientsMax else {
      return "\(sharedCount) clients are connected, which is the limit"
    }
    return nil
  }
}
