import TestSupport
import Testing

/// `help` at the prompt: the commands by purpose, on one screen.
@Suite(.timeLimit(.minutes(5)))
struct HelpPageTests {
  @Test func theHelpOfTheConsoleFitsIntoAScreenAndHasEachCommand() throws {
    let console = try ConsoleUnderTest()
    #expect(try console.seesPrompt())
    try console.type("help\r")
    #expect(try console.sees("leave; Ctrl-D does the same"))
    #expect(try console.seesPrompt())
    let page = console.screen.text
    // The prompt with `help` is still on the screen.
    #expect(page.contains("> help"))
    try console.type("help all\r")
    #expect(try console.sees("Exit status:"))
    let list = String(decoding: console.printed, as: UTF8.self)
    let rows = list.split(whereSeparator: \.isNewline).filter {
      $0.hasPrefix("  ") && !$0.hasPrefix("   ")
    }
    let names = rows.dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
    let words = Set(page.split { " \n".contains($0) }.map(String.init))
    for name in names where name.allSatisfy(\.isLowercase) && name != "completion" {
      #expect(words.contains(name), "\(name)")
    }
    #expect(names.contains("status") && names.contains("writes"))
  }

  @Test func helpOfACommandIsWrappedAtBlanksOnANarrowScreen() throws {
    let console = try ConsoleUnderTest()
    #expect(try console.seesPrompt())
    console.setWindow(columns: 50)
    try console.type("help allow\r")
    #expect(try console.sees("after 'unlock'"))
    let printed = String(decoding: console.printed, as: UTF8.self)
    let help = try #require(printed.firstRange(of: "binnacle allow:"))
    for line in printed[help.lowerBound...].split(whereSeparator: \.isNewline) {
      #expect(line.count <= 50, "\(line)")
    }
  }
}
