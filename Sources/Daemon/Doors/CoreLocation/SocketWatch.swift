import BinnacleBasics
import BinnacleModel
import BinnaclePosix

/// Restores the name of a listening socket after its removal.
///
/// The kernel reports changes of the directory, so the daemon does not poll. Only while the name cannot be restored,
/// the daemon retries periodically.
final class SocketWatch {
  /// The time between two attempts.
  static let retryTime = Interval.seconds(5)

  private let directory: String
  private var watch: DirectoryWatch?
  /// The next attempt; nil while the socket has its name.
  private(set) var nextDeadline: Instant?
  /// The last failure.
  private var failure: SystemError?

  init(directory: String) {
    self.directory = directory
    watch = try? DirectoryWatch(directory)
  }

  /// The descriptor to poll for reading; nil if the directory cannot be watched.
  var descriptor: Int32? { watch?.descriptor }

  /// Handles a change of names in the directory.
  func changed(_ listener: any NamedListener, at now: Instant) -> (LogLevel, String)? {
    if watch?.drain() ?? true { watch = nil }
    return check(listener, now: now)
  }

  /// Restores the name if it is missing; returns the line for the log.
  func check(_ listener: any NamedListener, now: Instant) -> (LogLevel, String)? {
    nextDeadline = nil
    if !listener.isListenerNamed {
      do throws(SystemError) {
        try listener.renewListener()
      } catch {
        nextDeadline = now + SocketWatch.retryTime
        defer { failure = error }
        return error == failure
          ? nil : (.error, "clients: the socket was removed and cannot be made again: \(error)")
      }
      failure = nil
      watch = try? DirectoryWatch(directory)
      return (.warning, "clients: the socket in \(directory) was removed; it is there again")
    }
    return nil
  }
}
