import BinnaclePosix
import Board
import Manifests

/// The programs of apps, by their manifests.
///
/// The launcher reads the manifests itself: the daemon names only the app, so a daemon that is taken over can start declared
/// apps only.
struct AppPrograms {
  let configurationDirectory: String
  let runtimeDirectory: String
  /// Whether the launcher may become other users.
  let mayChangeUser: Bool
  let userID: UInt32

  /// The reason why an app is not started.
  struct Refusal: Error, Equatable {
    var text: String
  }

  /// A program, the user that it runs as, and the manifest that names both.
  struct Found {
    var program: WaitingChild.Program
    var userID: UInt32
    var userName: String
    var manifest: String

    /// The sentence for a start that has failed.
    func fault(_ failure: ChildFailure) -> String {
      StartFault(
        failure: failure, program: program.path, directory: program.directory, user: userName,
        manifest: manifest, architecture: .own
      ).description
    }
  }

  /// The program of an app.
  ///
  /// - Parameters:
  ///   - identifier: the identifier in the manifest.
  ///   - isForLocation: whether the app is started in the background for a location.
  /// - Returns: the program, with its user and environment.
  /// - Throws: the reason why the app is not started.
  func program(of identifier: String, isForLocation: Bool) throws(Refusal) -> Found {
    let shelf = AppFiles.shelf(configurationDirectory: configurationDirectory)
    guard let app = shelf.apps.first(where: { $0.identifier == identifier }),
      let file = shelf.file(of: identifier)
    else {
      throw Refusal(
        text: "no manifest in \(configurationDirectory)/apps.d has this identifier; "
          + "'binnacled --check' prints the mistakes of manifests")
    }
    try checkTrust(file)
    guard let user = Users.entry(of: app.user) else {
      throw Refusal(
        text:
          "\(file): there is no user \(app.user): 'sudo useradd --system \(app.user)', or correct User="
      )
    }
    guard mayChangeUser || user.userID == userID else {
      throw Refusal(
        text: "\(file): the launcher runs as user \(userID) and starts only apps of this user, "
          + "and the app's user is \(app.user); start the launcher by its unit binnacle-launch")
    }
    let program = WaitingChild.Program(
      path: app.executable, arguments: app.arguments,
      environment: environment(of: user, isForLocation: isForLocation), directory: user.home,
      user: mayChangeUser ? user : nil)
    return Found(
      program: program, userID: user.userID, userName: user.name, manifest: file)
  }

  /// A manifest, its drop-ins and their directory are trusted together.
  private func checkTrust(_ file: String) throws(Refusal) {
    let trust = FileTrust(mayChangeUser: mayChangeUser, userID: userID)
    var paths = [file]
    let dropIns = file + ".d"
    if Files.exists(dropIns) {
      paths.append(dropIns)
      paths += ((try? Files.list(dropIns)) ?? []).filter { $0.hasSuffix(".conf") }
        .map { dropIns + "/" + $0 }
    }
    for path in paths {
      if let refusal = trust.refusal(of: path) { throw Refusal(text: refusal) }
    }
  }

  private func environment(of user: Users.Entry, isForLocation: Bool) -> [String] {
    [
      "HOME=\(user.home)", "USER=\(user.name)", "LOGNAME=\(user.name)",
      "SHELL=\(user.shell.isEmpty ? "/bin/sh" : user.shell)",
      "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=\(Environment.value("LANG") ?? "C.UTF-8")",
      "BINNACLE_RUNTIME=\(runtimeDirectory)",
      "BINNACLE_LAUNCHED=\(isForLocation ? "location" : "person")",
    ]
  }
}
