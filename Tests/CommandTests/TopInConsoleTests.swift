import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import Glibc
import TestSupport
import Testing

/// `top` as a command of `binnacle console`.
@Suite(.timeLimit(.minutes(5)))
struct TopInConsoleTests {
  private func start(_ prepare: (AnsweringDaemon) -> Void = TopBoard.prepare) throws -> TopUnderTest
  {
    let console = try TopUnderTest(kind: "vt102", isConsole: true, prepare: prepare)
    #expect(try console.sees { $0.lines.contains { $0.hasSuffix("fix>") } })
    try console.type("top\r")
    #expect(try console.seesView())
    return console
  }

  private func seesPrompt(_ console: TopUnderTest) throws -> Bool {
    try console.sees { $0.lines[$0.row].hasSuffix("fix>") }
  }

  @Test(arguments: ["q", "\u{3}"]) func aKeyLeadsBackToThePrompt(key: String) throws {
    let console = try start()
    try console.type(key)
    #expect(try seesPrompt(console))
    #expect(console.screen.pen == "")
    try console.type("version\r")
    #expect(try console.sees("binnacle \(Release.version)"))
    #expect(console.screen.unknown == [])
  }

  @Test func theViewFollowsTheSizeOfTheConsole() throws {
    let console = try start()
    console.resize(columns: 100, rows: 30)
    #expect(try console.seesView())
    #expect(console.screen.lines[29].hasPrefix("q quits"))
  }

  @Test func controlZDoesNotStopTheConsole() throws {
    let console = try start()
    // There is no shell that could continue the view, so the view goes on.
    try console.type("\u{1A}")
    try console.type("p")
    #expect(try console.sees { $0.lines[23].hasPrefix("HELD") })
  }

  @Test func theConsoleCleansUpBehindAViewThatWasKilled() throws {
    let console = try start()
    let view = try #require(try child(of: console.child.processID))
    try #require(kill(view, SIGKILL) == 0)
    #expect(try console.sees("the command was ended by signal 9"))
    #expect(try seesPrompt(console))
    #expect(console.screen.pen == "")
    // The picture is whole above the sentence: nothing was printed into it.
    #expect(console.screen.lines[20...].allSatisfy { !$0.hasPrefix("q quits") })
  }

  /// The child of a process.
  private func child(of process: Int32) throws -> Int32? {
    let path = "/proc/\(process)/task/\(process)/children"
    let text = String(decoding: try Files.read(path), as: UTF8.self)
    return text.split(separator: " ").first.flatMap { Int32($0) }
  }

  @Test func aRequestThatCameMeanwhileIsShownAtThePrompt() throws {
    let console = try start()
    try console.daemon?.setPrompts([ConsoleTests.prompt("org.example.route")])
    console.daemon?.report.add(.promptsOpen, 1)
    #expect(try console.sees("binnacle allow org.example.route"))
    try console.type("q")
    #expect(try console.sees("\n  allow org.example.route\n"))
    #expect(try seesPrompt(console))
  }

  @Test func onALineOf9600BaudTheViewKeepsUp() throws {
    let console = try ConsoleUnderTest(["--speed", "9600"], device: true) { daemon in
      TopBoard.prepare(daemon)
      var number = 0.0
      daemon.beforeReport = { daemon in
        number += 1
        daemon.report.add(.fixHorizontalAccuracy, number)
      }
    }
    #expect(try console.seesPrompt("fix"))
    let pace = try console.startMeasuringPace()
    try console.type("top\r")
    let isOver = try console.sees { _ in
      #expect(pace.isKept(by: console))
      return (Clock.now - pace.start).seconds > 5
    }
    #expect(isOver)
    #expect(String(decoding: console.printed, as: UTF8.self).contains("q quits"))
    try console.type("q")
    #expect(try console.sees { _ in console.printed.suffix(60).contains(UInt8(ascii: ">")) })
  }
}
