import BinnacleBasics
import BinnaclePosix
import Glibc

/// The named pipe that an app writes its output to.
///
/// The app holds the pipe open for reading, too. Therefore it gets no SIGPIPE, and its output waits in the pipe, while no
/// launcher runs; a full pipe lets the app wait.
final class OutputPipe {
  private let file: FileDescriptor
  private let path: String
  private var lines = OutputLines()
  private var buffer = [UInt8](repeating: 0, count: OutputPipe.readSizeMax)
  /// The end of a pause; nil: the pipe is read.
  private var restsUntil: Instant?

  /// A full read is followed by a pause, so that an app that prints without end does not load the processor: the pipe is
  /// full then, and the app waits.
  private static let readSizeMax = 65_536
  private static let rest = Interval.milliseconds(50)

  /// Makes the pipe in place of an old one.
  init(making path: String) throws(SystemError) {
    do throws(Errno) {
      unlink(path)
      if mkfifo(path, 0o600) != 0 { throw Errno.current }
      file = try FileDescriptor.open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW)
    } catch {
      throw SystemError(error, path)
    }
    self.path = path
  }

  /// Opens the pipe of an app that runs; nil if there is none.
  init?(opening path: String) {
    guard let file = try? FileDescriptor.open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW),
      (try? file.status())?.kind == .pipe
    else { return nil }
    self.file = file
    self.path = path
  }

  /// The app's end.
  func appEnd() throws(SystemError) -> FileDescriptor {
    do throws(Errno) {
      return try FileDescriptor.open(path, O_RDWR | O_NOFOLLOW)
    } catch {
      throw SystemError(error, path)
    }
  }

  /// The descriptor to poll for reading; nil during a pause.
  var descriptor: Int32? { restsUntil == nil ? file.number : nil }

  var nextDeadline: Instant? { earlier(restsUntil, lines.nextDeadline) }

  func deadlineReached(at now: Instant) -> [OutputLines.Item] {
    if let until = restsUntil, until <= now { restsUntil = nil }
    return lines.deadlineReached(at: now)
  }

  /// Reads what the app has written.
  func read(at now: Instant) -> [OutputLines.Item] {
    guard let count = try? file.read(into: &buffer), count > 0 else { return [] }
    if count == buffer.count { restsUntil = now + OutputPipe.rest }
    return lines.take(buffer[..<count], at: now)
  }

  /// Reads the rest after the end of the app.
  func finish(at now: Instant) -> [OutputLines.Item] {
    var items: [OutputLines.Item] = []
    // A process that has left the app may still write.
    for _ in 0..<16 {
      let more = (try? file.read(into: &buffer)) ?? nil
      guard let count = more, count > 0 else { break }
      items += lines.take(buffer[..<count], at: now)
    }
    return items + lines.finish(at: now)
  }
}
