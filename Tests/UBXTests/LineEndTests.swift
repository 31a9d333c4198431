import BinnacleBasics
import TestSupport
import Testing

@testable import UBX

/// Line ends of sentences, as receivers send them.
@Suite struct LineEndTests {
  private static let texts = ["GNTXT,01", "GNRMC,120000.00,V,,,,,,,010626,,,N", "GNTXT,02"]

  /// Three sentences with a line end.
  private static func stream(_ end: String) -> [UInt8] {
    texts.flatMap { Samples.sentence($0).dropLast(2) + Array(end.utf8) }
  }

  @Test(arguments: [
    "\r\n", "\r\r\n", "\n", "\r", " \r\n", "  \r\r\n", "\t\n", " \r", "        \n", "       \r\n",
  ])
  func aSentenceIsReadWithEveryLineEnd(end: String) {
    let bytes = Self.stream(end)
    let parsed = ParsedStream(bytes)
    #expect(parsed.lines.count == 3)
    #expect(parsed.parser.damage == Damage())
    #expect(parsed.parser.frameBytes == bytes.count)
    #expect(ParsedStream(bytes) { _ in 1 } == parsed)
    var random = Random(seed: 9)
    #expect(ParsedStream(bytes) { _ in Int.random(in: 1...40, using: &random) } == parsed)
  }

  @Test func aSentenceWithoutALineEndIsNone() {
    for end in ["$", "x\r\n", "         \n", "         \r\n"] {
      let parsed = ParsedStream(Self.stream(end))
      #expect(parsed.lines.isEmpty, "'\(end)'")
      #expect(parsed.countedBytes == Self.stream(end).count)
    }
  }

  /// A file that was edited or cut may end directly after a checksum.
  @Test(arguments: ["", " ", "\t "]) func theLastSentenceOfAStreamNeedsNoLineEnd(end: String) {
    let bytes: [UInt8] = Array(Self.stream("\r\n").dropLast(2)) + Array(end.utf8)
    let parsed = ParsedStream(bytes)
    #expect(parsed.lines.count == 3)
    #expect(parsed.parser.damage == Damage())
    #expect(parsed.parser.frameBytes == bytes.count)
    #expect(ParsedStream(bytes) { _ in 1 } == parsed)
    // Before the end of the stream, the sentence waits for its line end.
    var parser = FrameParser()
    parser.append(bytes)
    var count = 0
    while parser.next() != nil { count += 1 }
    #expect(count == 2)
    #expect(parser.bytesAwaited == 2)
    parser.abandonPartialFrame()
    #expect(parser.next() == nil)
    #expect(parser.damage[.abandoned].occurrences == 1)
  }

  @Test func aLastSentenceWithoutACorrectChecksumIsDamage() {
    let whole: [UInt8] = Array(Self.stream("\r\n").dropLast(2))
    // One digit of the checksum, no digit, and no asterisk.
    for missing in 1...3 {
      let parsed = ParsedStream(Array(whole.dropLast(missing)))
      #expect(parsed.lines.count == 2)
      #expect(parsed.parser.damage[.truncated].occurrences == 1)
    }
    var wrong = whole
    wrong[whole.count - 4] ^= 1
    let parsed = ParsedStream(wrong)
    #expect(parsed.lines.count == 2)
    #expect(parsed.parser.damage[.nmeaChecksum].occurrences == 1)
  }

  @Test func aDamagedSentenceIsCountedWithEveryLineEnd() {
    for end in ["\r\r\n", "\n", "\r"] {
      var bytes = Self.stream(end)
      bytes[3] ^= 1
      let parsed = ParsedStream(bytes)
      #expect(parsed.lines.count == 2)
      #expect(parsed.parser.damage[.nmeaChecksum].occurrences == 1)
    }
  }

  /// A live stream must not wait for a line feed that never comes.
  @Test func afterTwoCarriageReturnsAloneASentenceEndsWithItsCarriageReturn() {
    var parser = FrameParser()
    var found: [Bool] = []
    for text in Self.texts + Self.texts {
      parser.append(Array(Samples.sentence(text).dropLast()))
      var isFound = false
      while parser.next() != nil { isFound = true }
      found.append(isFound && !parser.isWithinFrame)
    }
    #expect(found == [false, false, true, true, true, true])
  }

  @Test func aSentenceThatLacksItsLineFeedAloneIsTakenWhenItIsGivenUp() {
    var parser = FrameParser()
    parser.append(Array(Samples.sentence("GNTXT,01").dropLast()))
    #expect(parser.next() == nil)
    #expect(parser.bytesAwaited == 1)
    parser.abandonPartialFrame()
    #expect(parser.next()?.kind == .nmea)
    #expect(parser.next() == nil)
    #expect(parser.damage == Damage())
  }

  @Test func lineFeedsThatComeBackAreSeen() {
    let parsed = ParsedStream(Self.stream("\r") + Self.stream("\r\n"))
    #expect(parsed.lines.count == 6)
    #expect(parsed.parser.damage.discardedBytes == 1)
    #expect(
      ParsedStream(Self.stream("\r") + Self.stream("\r\n")) { _ in 1 } == parsed)
  }

  @Test func frameOfUBXBehindALoneCarriageReturnIsFound() {
    let bytes = Samples.sentence("GNTXT,01").dropLast() + Samples.pvt().frame
    #expect(ParsedStream(Array(bytes)).lines.count == 2)
  }

  @Test func theRecordingWithTwoCarriageReturnsGivesItsThreeFixes() throws {
    let solutions = SolutionTests.solutions(try Receivers.bytes("cr-cr-lf.nmea"))
    #expect(solutions.map { $0.utc?.calendar.second } == [0, 1, 2])
    #expect(solutions.allSatisfy { $0.isFixOK && $0.position?.latitudeE7 == 473_853_908 })
  }

  @Test func pubx03OfMoreThan256BytesIsAFrame() throws {
    let parsed = ParsedStream(try Receivers.bytes("pubx03-long.nmea"))
    #expect(parsed.lines.compactMap { $0.split(separator: "\t").last } == ["PUBX", "GNRMC"])
    #expect(parsed.parser.damage == Damage())
  }
}

/// Small inputs in `Tests/Receivers`; `Docs/RECEIVERS.md` describes them.
enum Receivers {
  static func bytes(_ name: String) throws -> [UInt8] {
    try TestData.contents(ofFile: TestData.packageRoot + "/Tests/Receivers/" + name)
  }
}
