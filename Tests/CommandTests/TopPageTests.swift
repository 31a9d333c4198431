import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// The pictures of `binnacle top` in `Docs/CONSOLE.md` are those of real sessions; `make drawings` writes them.
@Suite(.timeLimit(.minutes(5)))
struct TopPageTests {
  /// A picture with a fixed time, and without the release.
  private func neutral(_ lines: [String]) -> String {
    let time = "2026-11-24T10:15:32Z"
    return lines.map { line in
      line.hasPrefix("binnacle top")
        ? line.dropLast(time.count) + time
        : line.replacing("version \(Release.version)", with: "version VERSION")
    }.joined(separator: "\n")
  }

  @Test func thePageHasTheViewOfAScreen() throws {
    let top = try TopUnderTest()
    // The daemon answers each part of the view by itself.
    let page = try ConsolePage.picture("top")
    _ = try top.sees { neutral($0.lines) + "\n" == page }
    try ConsolePage.check("top", neutral(top.screen.lines))
  }

  @Test func thePageHasTheViewAsLines() throws {
    let top = try TopUnderTest(kind: "dumb") { daemon in
      TopBoard.prepare(daemon)
      daemon.log = []
    }
    #expect(try top.prints("change: binnacle allow org.example.route\n"))
    top.daemon?.addLog(
      ConsolePageTests.logged("10:15:40.870", "warning", "receiver: reports jamming"))
    #expect(try top.prints("reports jamming\n"))
    try ConsolePage.check(
      "top-lines", neutral(top.text.split(separator: "\n").map { String($0) }))
  }
}
