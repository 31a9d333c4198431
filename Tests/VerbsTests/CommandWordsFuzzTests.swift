import BinnacleBasics
import Testing

@testable import Verbs
@testable import binnacle

/// The console's line splitter and what reads its words, with lines that no person would type.
struct CommandWordsFuzzTests {
  private static let pieces = [
    " ", "\t", "'", "\"", "\\", "-", "--", "=", "?", "\0", "\u{1B}[A", "\u{202E}", "漢", "é",
    "e\u{301}", "binnacle",
    "status", "services", "off", "watch", "--configuration", "--count", "-f", "log", "help",
    "state", "erase", "\r\n",
    "\u{FFFD}", "🏴‍☠️",
  ]

  private static func line(_ random: inout Random) -> String {
    if random.next() % 3 == 0 {
      let bytes = (0..<Int(random.next() % 80)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    return (0..<Int(random.next() % 20)).map { _ in
      pieces[Int(random.next() % UInt64(pieces.count))]
    }.joined()
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func everyLineIsSplitOfferedAndRead(seed: UInt64) {
    var random = Random(seed: seed)
    let table = BinnacleVerbs.table
    for _ in 0..<150 {
      let line = Self.line(&random)
      let split = CommandWords(line)
      // Nothing is invented: the words have no characters beside those of the line.
      let count = split.words.reduce(0) { $0 + $1.unicodeScalars.count }
      #expect(count <= line.unicodeScalars.count)
      #expect(!split.isQuoteOpen || split.isLastOpen)
      #expect(!split.isLastOpen || !split.words.isEmpty)
      let offers = table.offers(line)
      #expect(offers.words.allSatisfy { $0.word.hasPrefix(offers.prefix) })
      _ = try? table.request(split.words)
    }
  }

  /// Words that are written with quotation marks come back as they were.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func quotedWordsComeBack(seed: UInt64) {
    var random = Random(seed: seed)
    for _ in 0..<150 {
      let words = (0..<Int(1 + random.next() % 5)).map { _ in Self.line(&random) }
      let quoted = words.map { word in
        "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
      }
      #expect(CommandWords(quoted.joined(separator: " ")).words == words)
    }
  }

  @Test func aVeryLongLineTakesNoLongTime() {
    let long = String(repeating: "word 'a b' \\ \" ", count: 20_000)
    #expect(CommandWords(long).words.count > 20_000)
    #expect(CommandWords(String(repeating: "x", count: 1_000_000)).words.count == 1)
    _ = BinnacleVerbs.table.offers("watch " + String(repeating: "--json ", count: 20_000))
  }
}
