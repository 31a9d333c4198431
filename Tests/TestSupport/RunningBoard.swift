public import BinnaclePosix

/// The built `binnacle-sim board` as a child; killed when its owner lets go of it.
public final class RunningBoard {
  public let process: ChildProcess

  /// Starts it and waits until it listens; it has the parts of `boards/virtual.conf`.
  public init(path: String, arguments: [String] = []) throws {
    process = try ChildProcess(
      Programs.path("binnacle-sim"),
      ["board", "--listen", path] + arguments, output: .null, errorOutput: .null)
    guard try eventually({ (try? LocalSocket(connectingTo: path)) != nil }) else {
      throw TestData.Missing(path: path)
    }
  }
}
