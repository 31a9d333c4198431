import BinnaclePosix

/// Creates and claims the daemon's directories before anything else is done.
enum Directories {
  /// Makes the runtime directory, claims it for this process and listens in it.
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

  /// Makes the state directory and claims it for this process.
  ///
  /// A place that cannot be a directory is a mistake in an argument and ends the start. A directory that is full,
  /// read-only or closed to the daemon does not: the service goes on, and the log says that nothing is kept.
  ///
  /// - Returns: the lock that keeps other daemons out; the kernel releases it when this process ends, however it ends.
  ///   nil where no process can write.
  static func takeState(_ directory: String) throws(StartFailure) -> FileLock? {
    do throws(SystemError) {
      try Files.makeDirectory(directory, mode: 0o700, withParents: true)
      return try FileLock(path: directory + "/lock")
    } catch {
      switch error.errno {
      case .wouldBlock:
        throw StartFailure(
          .temporaryFailure,
          "another daemon keeps its state in \(directory) (\(error)); --state DIR chooses another")
      case .noSpace, .readOnly, .inputOutput: return nil
      case .accessDenied, .notPermitted:
        if (try? Files.status(of: directory))?.kind == .directory { return nil }
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
