import Board
import Model
import Posix

/// Which app a peer is: found by its user and its program.
struct AppRegistry {
  private let apps: [AppManifest]

  init(_ shelf: AppShelf) {
    apps = shelf.apps
  }

  /// The app at the other end of a socket.
  func app(at socket: LocalSocket, userID: UInt32) -> AppID {
    do throws(Errno) {
      return app(userID: userID, executable: try PeerProcess(of: socket).program())
    } catch {
      return .unresolved(userID: userID)
    }
  }

  /// The app of a manifest that has this user and this program, else an unlisted one.
  func app(userID: UInt32, executable: String) -> AppID {
    let listed = apps.first { app in
      AppRegistry.userID(app.user) == userID
        && (app.executable == executable || (try? Files.resolve(app.executable)) == executable)
    }
    guard let listed else { return .unlisted(userID: userID, executable: executable) }
    return .listed(listed.identifier)
  }

  /// A user may come after the daemon, and a name may change its number: it is looked up each time.
  private static func userID(_ user: String) -> UInt32? {
    UInt32(user) ?? Users.number(of: user)
  }
}
