import BinnaclePosix
import Devices

/// The claim of the state directory.
extension StateStore {
  /// Claims the directory if that was not possible at the start of the daemon.
  ///
  /// Without the claim another daemon, or `binnacle state restore`, could write the same log. An open partition excludes
  /// other programs by itself.
  ///
  /// - Throws: the reason why the directory cannot be claimed.
  func claim() throws(StateObstacle) {
    guard partition == nil, let claimed else { return }
    do throws(SystemError) {
      try claimed.claim()
    } catch {
      throw StateObstacle(
        "\(error)\(advice(on: error.errno))", isPassing: true, hidesState: mayHaveLog)
    }
  }

  private func advice(on error: Errno) -> String {
    switch error {
    case .readOnly: readOnlyAdvice
    case .accessDenied, .notPermitted:
      "; the directory and its lock must belong to the daemon's user"
    default: ""
    }
  }

  /// The advice for a file system that the service sees as read-only, although it is writable.
  var readOnlyAdvice: String {
    "; to let the service write there: sudo systemctl edit binnacled, "
      + "with ReadWritePaths=\(directory) below [Service]"
  }

  /// Whether a log, or the mark of a lost log, may be in the directory.
  private var mayHaveLog: Bool {
    for place in [path, StateMark.path(in: directory)] {
      do throws(SystemError) {
        _ = try Files.status(of: place, followingLinks: false)
        return true
      } catch {
        // Without permission to look, the absence of a log is not proven.
        if error.errno != .noSuchFile && error.errno != .notADirectory { return true }
      }
    }
    return false
  }
}
