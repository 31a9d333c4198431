import BinnacleBasics
import BinnaclePosix
import TestSupport
import Testing

@testable import Console

struct CommandHistoryTests {
  private func time(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test func twoConsolesShareAFileThatIsSeldomWritten() throws {
    let directory = try TemporaryDirectory()
    let path = directory("a/history")
    var one = CommandHistory(path: path, at: time(0))
    var other = CommandHistory(path: path, at: time(0))
    one.note("status")
    one.saveIfDue(at: time(599))
    #expect(!Files.exists(path))
    one.saveIfDue(at: time(600))
    other.note("who")
    other.save(at: time(610))
    // Nothing new, so nothing is written.
    try Files.remove(path)
    one.save(at: time(9_000))
    #expect(!Files.exists(path))
    other.note("grants")
    other.save(at: time(9_000))
    #expect(CommandHistory(path: path, at: time(0)).lines == ["grants"])
  }

  @Test func theLatestTwoHundredLinesAreKept() throws {
    let directory = try TemporaryDirectory()
    let path = directory("history")
    var history = CommandHistory(path: path, at: time(0))
    for number in 0..<500 { history.note("watch --count \(number)") }
    history.save(at: time(1))
    let lines = CommandHistory(path: path, at: time(0)).lines
    #expect(lines.count == 200 && lines.last == "watch --count 499")
  }

  @Test func privateAndStrangeLinesAreNotKept() {
    var history = CommandHistory(path: nil, at: time(0))
    #expect(history.isKept("status"))
    history.note("status")
    #expect(!history.isKept("status"))
    #expect(!history.isKept(" services off") && !history.isKept(""))
    #expect(!history.isKept("a\u{1B}b"))
    #expect(!history.isKept(String(repeating: "x", count: 301)))
  }

  @Test(arguments: [
    "unlock 483920", "binnacle unlock 483920", "unlok 483920", "UNLOCK 483920", "unlock '483920'",
    "unlock  483920 x", "\"unlock\" 483920",
  ]) func aLineWithAPINIsNotKept(_ line: String) {
    let history = CommandHistory(path: nil, at: time(0))
    #expect(!history.isKept(line))
    #expect(history.isKept("unlock"))
  }

  @Test func aDamagedFileGivesOnlyPlainLines() throws {
    let directory = try TemporaryDirectory()
    let path = directory("history")
    try Files.writeAtomically(
      Array("one\n\u{1B}[2Jtwo\n\0\nthree\n".utf8) + [0xFF, 0x0A], to: path)
    let lines = CommandHistory(path: path, at: time(0)).lines
    #expect(lines.prefix(2) == ["one", "three"])
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy(PlainText.isPlain) })
  }

  @Test func theServiceKeepsItInItsStateDirectory() {
    let variables = ["STATE_DIRECTORY": "/var/lib/c", "HOME": "/root"]
    #expect(CommandHistory.path { variables[$0] } == "/var/lib/c/console-history")
    #expect(
      CommandHistory.path { ["HOME": "/root"][$0] }
        == "/root/.local/state/binnacle/console-history")
    #expect(CommandHistory.path { _ in nil } == nil)
  }
}
