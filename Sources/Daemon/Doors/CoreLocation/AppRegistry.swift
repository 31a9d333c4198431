import BinnacleModel
import BinnaclePosix
import Board

/// Which app a peer is: found by its user and its program.
struct AppRegistry {
  private let apps: [AppManifest]

  init(_ shelf: AppShelf) {
    apps = shelf.apps
  }

  /// The app of a peer, and a note for the log.
  struct Finding: Equatable {
    var app: AppID
    /// Why a program at the path of a manifest is not its app.
    var note: String?
  }

  /// The app at the other end of a socket.
  func finding(at socket: LocalSocket, userID: UInt32) -> Finding {
    do throws(Errno) {
      return finding(userID: userID, program: try PeerProcess(of: socket).program())
    } catch {
      return Finding(app: .unresolved(userID: userID))
    }
  }

  /// The app of a manifest that has this user and this program, else an unlisted one.
  ///
  /// The file decides, not its path: a process may have mounted another file over the path, which only that process sees.
  func finding(userID: UInt32, program: PeerProcess.Program) -> Finding {
    let ofUser = apps.filter { AppRegistry.userID($0.user) == userID }
    let listed = ofUser.first { (try? FileIdentity(ofFileAt: $0.executable)) == program.file }
    if let listed { return Finding(app: .listed(listed.identifier)) }
    let namesake = ofUser.first { app in
      app.executable == program.path || (try? Files.resolve(app.executable)) == program.path
    }
    return Finding(
      app: .unlisted(userID: userID, executable: program.path),
      note: namesake.map { app in
        "its program is not the file \(app.executable) of \(app.identifier): start it again if the file was replaced, "
          + "else another file is mounted there"
      })
  }

  /// Whether a manifest names this user.
  func hasApp(of userID: UInt32) -> Bool {
    apps.contains { AppRegistry.userID($0.user) == userID }
  }

  /// The user is looked up each time: a user may be added after the daemon's start, and a name may change its number.
  private static func userID(_ user: String) -> UInt32? {
    UInt32(user) ?? Users.number(of: user)
  }
}
