import BinnacleModel
import BinnaclePosix
import Board

/// Identifies the app of a peer by its user and its program.
struct AppRegistry {
  private let apps: [AppManifest]

  init(_ shelf: AppShelf) {
    apps = shelf.apps
  }

  /// The app of a peer, and a note for the log.
  struct Finding: Equatable {
    var app: AppID
    /// The program; nil if it is unknown.
    var program: PeerProcess.Program?
    /// Why a program at the path of a manifest is not the app of the manifest.
    var note: String?
    /// Whether the launcher has started the app that the peer's process belongs to.
    var isLaunched = false
  }

  /// The app of the peer of a socket.
  func finding(at socket: LocalSocket, userID: UInt32) -> Finding {
    do throws(Errno) {
      return finding(userID: userID, program: try PeerProcess(of: socket).program())
    } catch {
      return Finding(app: .unresolved(userID: userID))
    }
  }

  /// The app of the manifest with this user and this program, or an unlisted app without such a manifest.
  ///
  /// The file decides, not its path: a process may have mounted another file over the path in its own mount namespace.
  func finding(userID: UInt32, program: PeerProcess.Program) -> Finding {
    let ofUser = apps.filter { AppRegistry.userID($0.user) == userID }
    let listed = ofUser.first { (try? FileIdentity(ofFileAt: $0.executable)) == program.file }
    if let listed { return Finding(app: .listed(listed.identifier), program: program) }
    let namesake = ofUser.first { app in
      app.executable == program.path || (try? Files.resolve(app.executable)) == program.path
    }
    return Finding(
      app: .unlisted(userID: userID, executable: program.path), program: program,
      note: namesake.map { app in
        "its program is not the file \(app.executable) of \(app.identifier): start it again if the file was replaced, "
          + "else another file is mounted there"
      })
  }

  /// The app that a script of a user may be.
  ///
  /// - Parameters:
  ///   - name: the identifier, or a beginning of it that no other script of the user has.
  ///   - userID: the user of the script.
  /// - Returns: nil if no manifest of this user with `Script=yes` has the identifier.
  func script(_ name: String, userID: UInt32) -> AppID? {
    func mayBeScript(_ app: AppManifest) -> Bool {
      app.isScript && AppRegistry.userID(app.user) == userID
    }
    if let app = apps.first(where: { $0.identifier == name }) {
      return mayBeScript(app) ? .listed(name) : nil
    }
    let found = apps.filter { $0.identifier.hasPrefix(name) && mayBeScript($0) }
    return found.count == 1 ? .listed(found[0].identifier) : nil
  }

  /// The part of each manifest that decides about the rights of its app, with the number of the app's user.
  var declarations: [AppDeclaration] {
    apps.map { app in
      var declaration = app.declaration
      declaration.userID = AppRegistry.userID(app.user)
      return declaration
    }
  }

  /// Whether the manifest of an app has this user.
  func hasUser(_ userID: UInt32, _ identifier: String) -> Bool {
    apps.contains {
      $0.identifier == identifier && AppRegistry.userID($0.user) == userID
    }
  }

  /// Whether a manifest names this user.
  func hasApp(of userID: UInt32) -> Bool {
    apps.contains { AppRegistry.userID($0.user) == userID }
  }

  /// The users that the manifests name.
  var userIDs: Set<UInt32> { Set(apps.compactMap { AppRegistry.userID($0.user) }) }

  /// Looks the user up at each call: a user may be added after the daemon's start, and the number of a name may change.
  private static func userID(_ user: String) -> UInt32? {
    UInt32(user) ?? Users.number(of: user)
  }
}
