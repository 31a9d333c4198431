import BinnaclePosix
import Testing

@testable import Verbs
@testable import binnacle

/// The column `console` of the command table, and the page that has it.
struct ConsoleUseTests {
  private static let page =
    Files.parent(of: Files.parent(of: Files.parent(of: #filePath))) + "/Docs/CONSOLE.md"

  @Test func everyVerbSaysWhenAConsoleMayUseIt() {
    #expect(BinnacleVerbs.table.verbs.filter { $0.console == nil }.map(\.name) == [])
  }

  @Test func noVerbOfASerialLineTakesAPath() {
    let table = BinnacleVerbs.table.onConsole
    #expect(!table.verbs.isEmpty)
    let paths = ["DEVICE", "DIR", "FILE", "OUT", "PATH"]
    for verb in table.verbs {
      let words = verb.operands.split { !$0.isLetter }.map(String.init)
      #expect(paths.filter { words.contains($0) } == [], "\(verb.name) \(verb.operands)")
      let options = (verb.options + table.sharedOptions).compactMap(\.value)
      #expect(paths.filter { options.contains($0) } == [], "\(verb.name)")
    }
  }

  @Test(arguments: [
    ["trace", "-o", "x"], ["sky", "--svg", "x"], ["status", "--runtime", "/tmp"],
    ["track"], ["decode", "/etc/shadow"], ["state", "check", "/x"], ["console"],
    ["doctor", "--config", "/tmp"], ["doctor", "--interactive"], ["press", "HOME"],
    ["watch", "--app", "org.example.a"],
  ]) func aSerialLineHasNoSuchCommand(_ words: [String]) {
    #expect(throws: (any Error).self) { try BinnacleVerbs.table.onConsole.request(words) }
    #expect(throws: Never.self) { try BinnacleVerbs.table.request(words) }
  }

  @Test func thePageHasTheCommandsOfASerialLine() throws {
    var lines = ["| command | on a serial line | options that are not there |", "|---|---|---|"]
    for verb in BinnacleVerbs.table.verbs {
      let use = try #require(verb.console)
      let missing = use == .no ? [] : verb.options.filter { !$0.isOnConsole }
      let options = missing.map { "`--\($0.name)`" }.joined(separator: ", ")
      let answer = use == .unlocked ? "after `unlock`" : use.rawValue
      lines.append("| `\(verb.name)` | \(answer) | \(options) |")
    }
    let table = lines.joined(separator: "\n") + "\n"
    let text = String(decoding: try Files.read(Self.page), as: UTF8.self)
    let start: Range<String.Index> = try #require(
      text.firstRange(of: "<!-- table: console -->\n"))
    let rest = text[start.upperBound...]
    let end: Range<String.Index> = try #require(rest.firstRange(of: "<!-- end -->"))
    if Environment.value("BINNACLE_DRAW") == "1" {
      let whole = "\(text[..<start.upperBound])\(table)\(text[end.lowerBound...])"
      try Files.writeAtomically(Array(whole.utf8), to: Self.page, mode: 0o644)
    } else {
      #expect(text[start.upperBound..<end.lowerBound] == table, "make drawings writes it")
    }
  }
}
