import Basics
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
}
