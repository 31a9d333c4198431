public import BinnaclePosix

/// The built `binnacle-launch` as a child; killed when its owner lets go of it. Its apps live on.
public final class RunningLauncher {
  public let process: ChildProcess
  private var log: [UInt8] = []

  /// Starts it and waits until it listens.
  ///
  /// - Parameters:
  ///   - runtimeDirectory: the directory of its socket.
  ///   - configurationDirectory: the directory that contains `apps.d`.
  /// - Throws: why it does not start, or does not listen.
  public init(runtimeDirectory: String, configurationDirectory: String) throws {
    process = try ChildProcess(
      Programs.path("binnacle-launch"),
      ["--runtime", runtimeDirectory, "--config", configurationDirectory], errorOutput: .pipe)
    let path = runtimeDirectory + "/" + RuntimeDirectory.launcherSocketName
    guard
      try eventually({
        _ = self.logText
        return (try? LocalSocket(connectingTo: path)) != nil
      })
    else { throw TestData.Missing(path: "\(path) (the launcher said: \(logText))") }
  }

  /// Its messages so far.
  public var logText: String {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while let count = try? process.readErrors(into: &chunk), count > 0 { log += chunk[..<count] }
    return String(decoding: log, as: UTF8.self)
  }
}
