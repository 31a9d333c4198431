import BinnaclePosix

/// Creates and claims the daemon's directories first, before the daemon starts its work.
enum Directories {
  /// Creates the runtime directory, claims it for this process and listens in it.
  static func listen(in directory: String, isForEveryUser: Bool) throws(StartFailure)
    -> LocalListener
  {
    do throws(SystemError) {
      try Files.makePrivateDirectory(
        directory, mode: isForEveryUser ? 0o755 : 0o700, withParents: true)
      return try LocalListener(
        path: RuntimeDirectory.socketPath(in: directory), mode: isForEveryUser ? 0o666 : 0o600)
    } catch {
      throw StartFailure(
        status(of: error.errno),
        error.errno == .wouldBlock
          ? "another daemon is running in \(directory) (\(error))"
          : "runtime directory: \(error); --runtime DIR chooses another")
    }
  }

  /// Creates the state directory and claims it for this process.
  ///
  /// A path that cannot be a directory is a wrong argument and ends the start. A directory that is full, read-only or
  /// not accessible does not end the start: the daemon runs, and the log reports that no state is stored. The store claims
  /// the directory before it opens the log.
  ///
  /// - Throws: the reason why the directory cannot be used, or the process that uses it.
  static func take(_ state: StateDirectory) throws(StartFailure) {
    let directory = state.path
    do throws(SystemError) {
      try state.claim()
    } catch {
      switch error.errno {
      case .wouldBlock:
        throw StartFailure(
          .temporaryFailure,
          "another daemon keeps its state in \(directory) (\(error)); --state DIR chooses another")
      case .noSpace, .readOnly, .inputOutput: return
      case .accessDenied, .notPermitted:
        if (try? Files.status(of: directory))?.kind == .directory { return }
      default: break
      }
      throw StartFailure(
        .cannotCreate, "state directory unusable: \(error); --state DIR chooses another")
    }
  }

  private static func status(of errno: Errno) -> ExitStatus {
    switch errno {
    case .wouldBlock: .temporaryFailure
    case .notPermitted, .accessDenied: .notPermitted
    default: .cannotCreate
    }
  }
}
