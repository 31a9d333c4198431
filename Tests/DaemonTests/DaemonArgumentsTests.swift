import BinnacleModel
import BinnaclePosix
import Daemon
import Testing

struct DaemonArgumentsTests {
  @Test func everyOptionIsRead() throws {
    let arguments = try DaemonArguments([
      "--board", "pi", "--receiver", "/dev/ttyS0", "--config", "/c", "--runtime", "/r", "--state",
      "/s", "--log-level", "warning", "--check",
    ])
    #expect(arguments.order == .check)
    #expect(arguments.board == "pi")
    #expect(arguments.receiver == "/dev/ttyS0")
    #expect(arguments.configurationDirectory == "/c")
    #expect(arguments.runtimeDirectory == "/r")
    #expect(arguments.stateDirectory == "/s")
    #expect(arguments.logLevel == .warning)
  }

  @Test func withoutOptionsTheDaemonRuns() throws {
    let arguments = try DaemonArguments([])
    #expect(arguments.order == .run)
    #expect(arguments.board == nil)
    #expect(arguments.logLevel == .info)
  }

  @Test(arguments: [
    ["--log-level", "loud"], ["--receiver"], ["--receiver", ""], ["--nonsense"], ["word"],
  ])
  func aWrongOptionIsRefused(words: [String]) {
    #expect(throws: Arguments.UsageError.self) { try DaemonArguments(words) }
  }
}
