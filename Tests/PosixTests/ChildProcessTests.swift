import BinnacleBasics
import BinnaclePosix
import Testing

struct ChildProcessTests {
  @Test func aChildGetsItsWordsAndItsInput() throws {
    let outcome = try ChildProcess.run(
      "sh", ["-c", "printf '%s|' \"$@\"; cat; echo oops >&2; exit 3", "sh", "a b", "c"],
      input: Array("hello".utf8))
    #expect(outcome.text == "a b|c|hello")
    #expect(outcome.errorText == "oops\n")
    #expect(outcome.ending == .exited(3))
  }

  @Test func dataLargerThanAPipePassesThrough() throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    let outcome = try ChildProcess.run("cat", input: bytes)
    #expect(outcome.output == bytes)
  }

  @Test func aChildThatDoesNotReadIsNoFailure() throws {
    let outcome = try ChildProcess.run(
      "true", input: [UInt8](repeating: 0, count: 1_000_000))
    #expect(outcome.ending == .exited(0))
  }

  @Test func theEnvironmentIsTheOneGiven() throws {
    let outcome = try ChildProcess.run("/usr/bin/env", environment: ["A": "1"])
    #expect(outcome.text == "A=1\n")
  }

  @Test func aChildThatTakesTooLongIsKilled() throws {
    let outcome = try ChildProcess.run("sleep", ["100"], limit: .milliseconds(50))
    #expect(outcome.ending == nil)
  }

  @Test func aChildEndsWhenAsked() throws {
    let child = try ChildProcess("sleep", ["100"])
    #expect(try child.wait(limit: .zero) == nil)
    #expect(try child.terminate() == .killed(signal: 15))
    #expect(try child.terminate() == .killed(signal: 15))
  }

  @Test func aProgramThatIsNotThereIsNamed() {
    #expect(throws: SystemError(.noSuchFile, "/no/such/program")) {
      _ = try ChildProcess("/no/such/program")
    }
  }
}
