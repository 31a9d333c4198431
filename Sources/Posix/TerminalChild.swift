import CBinnaclePosix
import Glibc

/// A child process with a terminal of its own, whose near end this process has.
///
/// Line feeds of the child come without carriage returns. Releasing this value hangs the terminal up, and kills and reaps
/// the child.
///
/// The corresponding C function is `forkpty`.
public final class TerminalChild {
  private let process: Int32
  private let watch: FileDescriptor
  private let terminal: FileDescriptor
  private var ending: ChildProcess.Ending?

  /// Starts this program again.
  ///
  /// - Parameters:
  ///   - arguments: the words after the program's name.
  ///   - environment: variables in addition to those of this process.
  ///   - secret: bytes that the program can read from descriptor 3; nil: it gets no such descriptor.
  ///   - window: the size of the terminal.
  /// - Throws: the error of the system.
  public init(
    ofThisProgram arguments: [String], environment: [String: String] = [:],
    secret: [UInt8]? = nil, window: Terminal.Window
  ) throws(Errno) {
    var words =
      ([Environment.programName] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = []
    for index in 0... {
      guard let variable = environ[index] else { break }
      let text = String(cString: variable)
      let name = text.prefix { $0 != "=" }
      if environment[String(name)] == nil { variables.append(strdup(text)) }
    }
    variables += environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    // Neither the arguments nor the environment of a process are secret.
    var inherited: Int32 = -1
    if let secret { inherited = try Errno.check { cposix_secret_file(secret, secret.count) } }
    defer { if inherited >= 0 { close(inherited) } }
    var child = cposix_terminal_child()
    _ = try Errno.check {
      cposix_terminal_child_start(
        "/proc/self/exe", &words, &variables, window.columns, window.rows,
        inherited, &child)
    }
    process = child.process
    watch = FileDescriptor(owning: child.watch)
    terminal = FileDescriptor(owning: child.terminal)
  }

  deinit {
    if ending == nil {
      Glibc.kill(process, SIGKILL)
      var status: Int32 = 0
      _ = try? Errno.check { waitpid(process, &status, 0) }
    }
  }

  /// The descriptor of the terminal's near end.
  public var descriptor: Int32 { terminal.number }

  /// The descriptor to poll for the end of the process.
  public var endDescriptor: Int32 { watch.number }

  /// Whether the child reads single keys instead of lines, as a full-screen view does.
  public var readsKeys: Bool { cposix_terminal_reads_lines(terminal.number) == 0 }

  /// Reads output of the child.
  ///
  /// - Returns: the number of bytes; 0 when no process has the terminal open; nil when there is no data yet.
  public func read(into buffer: inout [UInt8]) throws(Errno) -> Int? {
    do {
      return try terminal.read(into: &buffer)
    } catch {
      // Linux answers EIO when the far end is closed.
      if error == .inputOutput { return 0 }
      throw error
    }
  }

  /// Types bytes; returns the number of bytes that the terminal has taken.
  public func write(_ bytes: ArraySlice<UInt8>) -> Int {
    (try? terminal.write(bytes)).flatMap(\.self) ?? 0
  }

  /// Sets the size of the terminal.
  public func setWindow(_ window: Terminal.Window) {
    _ = cposix_terminal_set_window(terminal.number, window.columns, window.rows)
  }

  /// Sets the speed that the child's terminal reports, so that a view can keep to the speed of the real line.
  public func setSpeed(_ baud: UInt32) { _ = cposix_terminal_set_speed(terminal.number, baud) }

  /// Sends SIGINT.
  public func interrupt() { if ending == nil { Glibc.kill(process, SIGINT) } }

  /// Ends the process without asking.
  public func kill() { if ending == nil { Glibc.kill(process, SIGKILL) } }

  /// How the process ended; nil while it runs.
  public func reap() -> ChildProcess.Ending? {
    if let ending { return ending }
    var isKilled: Int32 = 0
    var value: Int32 = 0
    guard cposix_process_reap(process, &isKilled, &value) == 1 else { return nil }
    ending = isKilled == 0 ? .exited(value) : .killed(signal: value)
    return ending
  }
}
