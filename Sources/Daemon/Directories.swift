import BinnaclePosix

/// The directories of the daemon, made ready before anything is done.
enum Directories {
  /// Makes the runtime directory, takes it for this process and listens in it.
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

  /// Makes the state directory and takes it for this process.
  ///
  /// A place that cannot be one is a mistake in an argument and ends the start; one that is full, read-only or closed to
  /// the daemon does not: the service goes on, and the log says that nothing is kept.
  ///
  /// - Returns: what keeps other daemons out of it; the kernel lets go of it when this process ends, however it ends.
  ///   nil where nothing can be written, by nobody.
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
