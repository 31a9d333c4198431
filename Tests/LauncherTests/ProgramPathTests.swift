import BinnacleBasics
import LaunchWire
import TestSupport
import Testing

@testable import BinnaclePosix
@testable import Launcher

/// Programs whose paths are not text: any user can run such a program and connect with it.
@Suite struct ProgramPathTests {
  private let directory: TemporaryDirectory
  private let server: LaunchServer
  private let socket: LocalSocket

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory("launch.sock")
    server = LaunchServer(try LaunchServer.listen(at: path), userID: Environment.userID) { _ in }
    socket = try LocalSocket(connectingTo: path)
  }

  /// A process whose program is below so many directories of 200 bytes that are not UTF-8.
  private func process(below depth: Int) throws -> ChildProcess {
    let script =
      "n=$(printf '\\377%.0s' $(seq 200)); d=$1; i=0; "
      + "while [ $i -lt $2 ]; do d=\"$d/$n\"; i=$((i + 1)); done; "
      + "mkdir -p \"$d\" && cp \"$(readlink -f /bin/sleep)\" \"$d/sleep\" && exec \"$d/sleep\" 600"
    return try ChildProcess("/bin/sh", ["-c", script, "sh", directory("odd"), "\(depth)"])
  }

  /// The answer about a process: nil if it is too long for the daemon.
  private func answer(about process: ChildProcess) throws -> LaunchReport.Answer? {
    let watch = try FileDescriptor(watchingProcess: process.processID)
    #expect(try socket.send(LaunchRequest(number: 1, .identify).encoded, with: watch))
    server.serveWaiting()
    var buffer = [UInt8](repeating: 0, count: LaunchReport.sizeMax)
    guard case .packet(let count) = try socket.receive(into: &buffer),
      case .answer(1, let answer)? = LaunchReport(decoding: Array(buffer[..<count]))
    else { return nil }
    return answer
  }

  @Test(arguments: [1, 8]) func aProgramWhosePathIsNotTextIsUnknown(depth: Int) throws {
    let child = try process(below: depth)
    // The names of these directories are not text here, either.
    defer { _ = try? ChildProcess.run("/bin/rm", ["-rf", directory("odd")]) }
    let shell = try Files.resolve("/bin/sh")
    var found: LaunchReport.Answer?
    #expect(
      try eventually {
        found = try answer(about: child)
        if case .program(shell, _, _, _)? = found { return false }
        return true
      })
    guard case .unknown? = found else {
      Issue.record("\(String(describing: found))")
      return
    }
  }
}
