import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

/// `binnacle console` on a serial line that it opens itself.
@Suite(.timeLimit(.minutes(5)))
struct ConsoleLineTests {
  @Test func theConsoleOpensTheLineAndSetsItsSpeed() throws {
    let console = try ConsoleUnderTest(["--speed", "57600"], device: true) {
      $0.report = ConsoleTests.running
    }
    #expect(try console.seesPrompt("fix"))
    #expect(try console.terminal.speed == 57_600)
    try console.type("version\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    // The next person finds a new session.
    try console.type("exit\r")
    #expect(try console.sees { $0.rows.count { $0.contains("'exit' leaves") } == 2 })
    _ = try console.child.terminate()
  }

  @Test func theConsoleComesBackWithTheLine() throws {
    let console = try ConsoleUnderTest(device: true) {
      $0.report = ConsoleTests.running
      $0.update = Update(fix: nil)
    }
    #expect(try console.seesPrompt("fix"))
    // Unplugged while it prints.
    try console.type("watch --operator\r")
    #expect(try console.sees("no location"))
    try console.unplug()
    try console.plug()
    #expect(try console.sees("'exit' leaves"))
    try console.type("version\r")
    #expect(try console.sees("\nbinnacle \(Release.version)\n"))
    #expect(try console.child.terminate() == .exited(0))
  }

  @Test func outputKeepsThePaceOfTheLineAndControlCStopsItAtOnce() throws {
    let console = try ConsoleUnderTest(["--speed", "9600"], device: true) {
      $0.report = ConsoleTests.running
    }
    #expect(try console.seesPrompt("fix"))
    let pace = try console.startMeasuringPace()
    try console.type("help --all\r")
    #expect(try console.sees { _ in pace.count(of: console) > 3_000 })
    #expect(pace.isKept(by: console))
    let before = console.printed.count
    try console.type("\u{3}")
    #expect(try console.sees("^C\n"))
    #expect(console.printed.count - before < 960)
    #expect(try console.seesPrompt("fix"))
  }
}
