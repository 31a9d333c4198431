import BinnacleBasics
import Foundation
import TestSupport
import Testing

@testable import UBX

@Suite struct FrameParserTests {
  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: Recording.all)
  func everyFrameOfTheReferenceIsFoundAndNoOther(recording: Recording) throws {
    let bytes = try recording.bytes()
    let whole = ParsedStream(bytes)
    let expected = try recording.referenceFrames()
    #expect(whole.lines == expected)
    #expect(whole.countedBytes == bytes.count)
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: Recording.all)
  func thePiecesInWhichBytesComeMakeNoDifference(recording: Recording) throws {
    let bytes = try recording.bytes()
    let whole = ParsedStream(bytes)
    #expect(ParsedStream(bytes) { _ in 1 } == whole)
    var random = Random(seed: 7)
    #expect(ParsedStream(bytes) { _ in Int.random(in: 1...300, using: &random) } == whole)
  }

  @Test func framesOfAllThreeProtocolsFollowEachOther() {
    let parsed = ParsedStream(Samples.mixed.flatMap { $0 })
    #expect(
      parsed.lines.map { $0.split(separator: "\t").last } == [
        "01-07", "GNRMC", "1075", "0A-04", "GNTXT", "01-61",
      ])
    #expect(parsed.parser.damage == Damage())
  }

  @Test func aStreamCutAtEveryByteLosesOnlyTheCutFrame() {
    let frames = Samples.mixed
    let bytes = frames.flatMap { $0 }
    for cut in 0...bytes.count {
      var ends = 0
      let whole = frames.prefix { frame in
        ends += frame.count
        // The last sentence of a stream needs no line end.
        return ends <= cut + (frame.last == 10 ? 2 : 0)
      }.count
      let parsed = ParsedStream(Array(bytes[..<cut]))
      #expect(parsed.lines.count == whole)
      #expect(parsed.countedBytes == cut)
    }
  }

  @Test func aTruncatedFrameDoesNotDamageTheFollowingFrames() {
    let following = Samples.mixed.flatMap { $0 }
    for frame in Samples.mixed {
      // A sentence may end in a carriage return alone.
      for cut in 1..<frame.count - (frame.last == 10 ? 1 : 0) {
        let bytes = Array(frame[..<cut]) + following
        let parsed = ParsedStream(bytes)
        #expect(parsed.lines.count == Samples.mixed.count)
        #expect(parsed.countedBytes == bytes.count)
        #expect(parsed.parser.damage.discardedBytes == cut)
      }
    }
  }

  @Test func aDamagedByteCostsItsFrameAndNoOther() {
    let bytes = Samples.mixed.flatMap { $0 }
    for place in bytes.indices where !isLineFeed(at: place, bytes) {
      var damaged = bytes
      damaged[place] ^= 0x40
      let parsed = ParsedStream(damaged)
      #expect(parsed.lines.count == Samples.mixed.count - 1)
      #expect(parsed.countedBytes == bytes.count)
    }
  }

  /// Whether a sentence ends there, which is whole without its line feed.
  private func isLineFeed(at place: Int, _ bytes: [UInt8]) -> Bool {
    place > 0 && bytes[place] == 10 && bytes[place - 1] == 13
  }

  @Test func framesInsideAHostileLengthAreFound() {
    let frames = Samples.mixed.flatMap { $0 }
    for hostile: [UInt8] in [
      [0xB5, 0x62, 0x01, 0x07, 0x26, 0xB5], [0xB5, 0x62, 0x01, 0x07, 0x00, 0x20],
      [0xB5, 0x62, 0x01, 0x07, 0x10, 0x00], [0xD3, 0x03, 0xFF], [0xB5, 0x62], [0xB5], [0xD3],
      Array("$GNRMC,1200".utf8), Array("$GN".utf8),
    ] {
      let parsed = ParsedStream(hostile + frames)
      #expect(parsed.lines.count == Samples.mixed.count)
      #expect(parsed.parser.damage.discardedBytes == hostile.count)
      #expect(ParsedStream(hostile + frames) { _ in 1 } == parsed)
    }
  }

  @Test func theVerdictOnALongSentenceDoesNotDependOnThePieces() {
    for length in 1_010...1_030 {
      for end in [[0x2A, 0x30, 0x30, 0x0D, 0x0A], [0x01], [0x24], []] as [[UInt8]] {
        let bytes = Array("$G".utf8) + [UInt8](repeating: 0x41, count: length) + end
        #expect(ParsedStream(bytes) { _ in 1 } == ParsedStream(bytes))
      }
    }
    let text = "G" + String(repeating: "A", count: FrameParser.sentenceLengthMax - 7)
    #expect(ParsedStream(Samples.sentence(text)).lines.count == 1)
    #expect(ParsedStream(Samples.sentence(text + "A")).lines.isEmpty)
  }

  @Test func aFrameWithoutAPayloadGoesStraightToItsChecksum() {
    var parser = FrameParser()
    parser.append([0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34])
    #expect(parser.next()?.kind == .ubx(messageClass: 0x0A, id: 0x04))
    #expect(parser.next() == nil)
    #expect(!parser.isWithinFrame)
  }

  @Test func theLongestPayloadIsAFrameAndOneByteMoreIsDamage() {
    for (length, count) in [(8_192, 1), (8_193, 0)] {
      let payload = [UInt8](repeating: 0x55, count: length)
      let parsed = ParsedStream(UBXFrame.encode(messageClass: 2, id: 0x15, payload: payload))
      #expect(parsed.lines.count == count)
      #expect(parsed.parser.damage[.overlong].occurrences == 1 - count)
    }
  }

  @Test func theBytesOfAFrameAreAwaitedByItsHeader() {
    var parser = FrameParser()
    var awaited: [Int] = []
    for byte in NavEOE(iTOWMilliseconds: 1).frame {
      parser.append([byte])
      _ = parser.next()
      awaited.append(parser.bytesAwaited)
    }
    #expect(awaited == [7, 6, 5, 4, 3, 6, 5, 4, 3, 2, 1, 0])
  }

  @Test func anAbandonedFrameReleasesItsBytes() {
    var parser = FrameParser()
    parser.append([0xB5, 0x62, 0x01, 0x07, 0x00, 0x20] + Poll(MonVER.self).frame)
    #expect(parser.next() == nil)
    #expect(parser.bytesAwaited == 8_192 + 8 - 14)
    parser.abandonPartialFrame()
    #expect(parser.next()?.kind == .ubx(messageClass: 0x0A, id: 0x04))
    #expect(parser.next() == nil)
    #expect(parser.damage[.abandoned].bytes == 6)
    #expect(parser.damage[.abandoned].occurrences == 1)
    parser.abandonPartialFrame()
    #expect(parser.damage.discardedBytes == 6)
  }

  @Test func damageIsCountedByItsCause() {
    var wrongCRC = Samples.rtcm(number: 1_008, length: 20)
    wrongCRC[22] ^= 1
    var wrongSum = Samples.pvt().frame
    wrongSum[99] ^= 1
    for (bytes, cause) in [
      ([1, 2, 3], Damage.Cause.noise), (wrongSum, .ubxChecksum), (wrongCRC, .rtcmChecksum),
      (Array("$GNTXT,hello*00\r\n".utf8), .nmeaChecksum),
      (Array("$GNTXT,he\u{1}llo".utf8), .brokenSentence),
      (Array("$GNTXT,".utf8) + [UInt8](repeating: 0x41, count: 1_100), .overlong),
      ([0xB5, 0x62, 1, 7, 0xFF, 0xFF], .overlong), (Array(wrongSum[..<50]), .truncated),
    ] {
      let damage = ParsedStream(bytes).parser.damage
      #expect(damage[cause].occurrences == 1, "\(cause)")
      #expect(damage[cause].bytes > 0, "\(cause)")
      #expect(damage.discardedBytes == bytes.count)
    }
  }

  /// The same bit is flipped in two bytes, one of which is or becomes a comma, so that the checksum is right.
  @Test(arguments: [
    "GNRMC,141336. 0,A,4717.38114,N,00834.23460,E<77.712,39.99,210926,,,A",
    "GNRMC,141336.00,A,4717.38114,N,00834.23460,E,77,712,39.99,210926,,,A",
    "GNRMC,141336.00<A,4717.38114,N,00834.23460,E,77.712,39.99,210926,,,A",
    "GNGGA,141336.00,4717.38114,N,00834.23460<E,1,12,1.27,403.2,M,47.5,M,,",
    "GNGGA,141336.00,4717.38114,N,00834.23460,E,1,12,1.27<403.2,M,47.5,M,,",
    "GNGLL,4717,38114,N,00834.23460,E,141336.00,A,A",
    "GNGNS,141336.00,4717.38114<N,00834.23460,E,AA,12,1.27,403.2,47.5,,",
    "GNVTG,39.99,T,,M,77.712,N,14,.924,K,A",
    "PUBX,00,141336.00<4717.38114,N,00834.23460,E,450.7,G3,2.1,2.0,0.007,77.52,0.007,,0.92,1.19,0.77,9,0,0",
  ])
  func aSentenceWithFieldsInWrongPlacesIsDamage(text: String) {
    let damage = ParsedStream(NMEASentence(text: text).frame).parser.damage
    #expect(damage[.brokenSentence].occurrences == 1)
  }

  @Test func randomBytesNeitherTrapNorGetLost() {
    var random = Random(seed: 11)
    for _ in 0..<200 {
      // Sync bytes are frequent, so that many false frames begin.
      let bytes = (0..<2_000).map { _ -> UInt8 in
        random.chance(0.2)
          ? [0xB5, 0x62, 0x24, 0xD3, 0x00, 0x01, 0x2A].randomElement(using: &random) ?? 0
          : UInt8.random(in: 0...255, using: &random)
      }
      let whole = ParsedStream(bytes)
      #expect(whole.countedBytes == bytes.count)
      #expect(ParsedStream(bytes) { _ in Int.random(in: 1...64, using: &random) } == whole)
    }
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func recordingsWithHolesKeepEveryFrameThatIsWhole() throws {
    let recording = Recording(name: "gpsd-zed-f9r.log")
    let bytes = try recording.bytes()
    let frames = ParsedStream(bytes).lines.map { line in
      line.split(separator: "\t")[1...2].compactMap { Int($0) }
    }
    var random = Random(seed: 3)
    for _ in 0..<20 {
      let start = Int.random(in: 0..<bytes.count - 50, using: &random)
      let end = start + Int.random(in: 1...50, using: &random)
      let parsed = ParsedStream(Array(bytes[..<start] + bytes[end...]))
      let whole = frames.filter { $0[0] + $0[1] <= start || $0[0] >= end }.count
      #expect(parsed.lines.count >= whole)
      #expect(parsed.countedBytes == bytes.count - (end - start))
    }
  }

  @Test func aParserContinuesFromItsStoredState() throws {
    let bytes = Samples.mixed.flatMap { $0 }
    var parser = FrameParser()
    parser.append(bytes[..<150])
    var count = 0
    while parser.next() != nil { count += 1 }
    var restored = try JSONDecoder().decode(
      FrameParser.self, from: try JSONEncoder().encode(parser))
    #expect(restored == parser)
    restored.append(bytes[150...])
    while restored.next() != nil { count += 1 }
    #expect(count == Samples.mixed.count)
  }

  /// A receiver on a bus reads 0xFF while it has nothing to say; within a frame it is a byte as others.
  @Test func fillerBetweenFramesIsNoDamageWhereItIsExpected() {
    let filler = [UInt8](repeating: 0xFF, count: 7)
    let frame = UBXFrame.encode(messageClass: 0x01, id: 0x61, payload: [0xFF, 0xFF, 0xFF, 0xFF])
    // In pieces: Swift 6.0 takes too long over the whole.
    let framed: [UInt8] = filler + frame
    let bytes: [UInt8] = framed + framed + filler + [0x00] + frame
    for isExpected in [true, false] {
      var parser = FrameParser()
      parser.isFillerExpected = isExpected
      var frames = 0
      for byte in bytes {
        parser.append([byte])
        while parser.next() != nil { frames += 1 }
      }
      #expect(frames == 3)
      #expect(parser.damage.discardedBytes == (isExpected ? 1 : 22))
    }
  }
}
