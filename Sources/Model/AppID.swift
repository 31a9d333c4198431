/// Which app a client is.
///
/// The user is what the kernel says and can be relied on; which of the user's programs it is helps a person and keeps
/// the programs of one user apart, but does not protect them from each other.
public enum AppID: Hashable, Codable, Sendable {
  /// An app with a manifest, by its identifier.
  case listed(String)
  /// A program without one.
  case unlisted(userID: UInt32, executable: String)
  /// The programs that read through a door of the daemon which the board's profile has opened, such as `NMEA`.
  case door(String)
  /// A program that could not be found out: it has ended, or the daemon may not look.
  case unresolved(userID: UInt32)
}

extension AppID: CustomStringConvertible {
  /// `org.example.tracker`, `1000:/usr/bin/tracker`, or `1000:unknown executable`.
  public var description: String {
    switch self {
    case .listed(let identifier): identifier
    case .unlisted(let userID, let executable): "\(userID):\(executable)"
    case .door(let name): "door \(name)"
    case .unresolved(let userID): "\(userID):unknown executable"
    }
  }
}
