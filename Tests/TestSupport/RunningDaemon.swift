public import BinnacleBasics
public import BinnaclePosix

/// The built `binnacled` as a child, with directories of its own; killed when its owner lets go of it.
public final class RunningDaemon {
  public let process: ChildProcess
  public let directory: TemporaryDirectory
  private var log: [UInt8] = []

  /// Starts it and waits until it listens.
  ///
  /// Its runtime and state directories are in `directory`; another daemon's, to follow on that one.
  public init(
    receiver: String, directory: TemporaryDirectory, arguments: [String] = [],
    environment: [String: String]? = nil
  ) throws {
    self.directory = directory
    process = try ChildProcess(
      Programs.path("binnacled"),
      [
        "--receiver", receiver, "--runtime", directory("runtime"), "--state", directory("state"),
        "--log-level", "debug",
      ] + arguments,
      environment: environment, errorOutput: .pipe)
    guard
      try eventually({
        _ = self.logText
        return (try? LocalSocket(connectingTo: socketPath)) != nil
      })
    else { throw TestData.Missing(path: "\(socketPath) (the daemon said: \(logText))") }
  }

  /// The runtime directory, for `--runtime` and `BINNACLE_RUNTIME`.
  public var runtimeDirectory: String { directory("runtime") }
  public var socketPath: String { RuntimeDirectory.socketPath(in: runtimeDirectory) }

  /// The daemon's log output so far.
  public var logText: String {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while let count = try? process.readErrors(into: &chunk), count > 0 { log += chunk[..<count] }
    return String(decoding: log, as: UTF8.self)
  }

  /// Waits for words in the log.
  public func says(_ words: String, within limit: Interval = .seconds(60)) throws -> Bool {
    try eventually(within: limit) { self.logText.contains(words) }
  }
}

/// The built `binnacle-sim` as a child that offers a simulated receiver on a pseudo-terminal.
public final class RunningReceiver {
  public let process: ChildProcess

  /// Starts it and waits until its device is there; the path becomes a symbolic link to it.
  public init(path: String, seed: Int = 7) throws {
    process = try ChildProcess(
      Programs.path("binnacle-sim"),
      ["receiver", "--generation", "m10", "--seed", "\(seed)", "--tty", path], output: .null,
      errorOutput: .null)
    guard try eventually({ Files.exists(path) }) else { throw TestData.Missing(path: path) }
  }

  /// Pulls the plug.
  public func unplug() throws {
    _ = try process.terminate()
  }
}

/// The programs of this project as they were built with the tests.
public enum Programs {
  public static func path(_ name: String) -> String {
    Files.parent(of: Environment.executablePath ?? "") + "/" + name
  }

  /// Makes a file that can be run at once.
  ///
  /// Another program writes it. If this process had it open for writing, a child that another test starts at that moment
  /// would have it open too, until that child runs its program, and the kernel runs no file that is open for writing (ETXTBSY).
  public static func make(_ bytes: [UInt8], at path: String, mode: UInt32 = 0o755) throws {
    let source = path + ".bytes"
    try Files.writeAtomically(bytes, to: source)
    defer { try? Files.remove(source) }
    let outcome = try ChildProcess.run(
      "/usr/bin/install", ["--mode", String(mode, radix: 8), source, path])
    guard outcome.ending == .exited(0) else { throw TestData.Missing(path: path) }
  }
}

/// Looks again and again until something is true; false when the limit came first.
///
/// The limit ends a hang. A machine that is busy takes its time, so where it is no part of the claim it is left as it is.
public func eventually(
  within limit: Interval = .seconds(60), _ condition: () throws -> Bool
) throws -> Bool {
  let deadline = Clock.now + limit
  var poll = Poll()
  while true {
    if try condition() { return true }
    if Clock.now >= deadline { return false }
    try poll.wait(until: Clock.now + .milliseconds(5))
  }
}
