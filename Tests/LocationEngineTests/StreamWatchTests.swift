import BinnacleModel
import LocationEngine
import Testing
import UBX

/// The sentences of `status` for a line that carries data and gives no position.
@Suite struct StreamWatchTests {
  /// A desk at a receiver that never answers and sends this each second.
  private func desk(sending epoch: @escaping (OddReceiver) -> [UInt8]) -> OddReceiver {
    var desk = OddReceiver()
    desk.saysWhoItIs = false
    desk.epoch = epoch
    desk.open()
    return desk
  }

  private func text(_ desk: inout OddReceiver, _ name: String = "receiver.trouble") -> String? {
    guard case .text(let text)? = desk.report()[name] else { return nil }
    return text
  }

  @Test func aLineThatGivesPositionsHasNoTrouble() {
    var desk = desk { $0.sentences }
    desk.run(seconds: 60)
    #expect(text(&desk) == nil)
    #expect(text(&desk, "receiver.advice") == nil)
  }

  @Test func aLineThatIsSilentFromTheStartIsReportedAfterFiveSeconds() {
    var desk = desk { _ in [] }
    desk.run(seconds: 4)
    #expect(text(&desk) == nil)
    for _ in 0..<60 {
      desk.run(seconds: 2)
      #expect(text(&desk) == "no byte comes from the receiver")
    }
  }

  @Test func aLineThatFallsSilentIsReportedAfterFiveSeconds() {
    var desk = desk { $0.sentences }
    desk.run(seconds: 20)
    desk.epoch = { _ in [] }
    desk.run(seconds: 4)
    #expect(desk.report()["receiver.silent_s"] == nil)
    for _ in 0..<60 {
      desk.run(seconds: 2)
      #expect(text(&desk) == "no byte comes from the receiver")
    }
    desk.epoch = { $0.sentences }
    desk.run(seconds: 5)
    #expect(text(&desk) == nil)
  }

  @Test func aSourceThatSendsEverySixSecondsIsNotSilentBetweenTwoEpochs() {
    var second = 0
    var desk = desk { receiver in
      second += 1
      return second % 6 == 0 ? receiver.sentences : []
    }
    desk.run(seconds: 13)
    for _ in 0..<30 {
      desk.run(seconds: 1)
      #expect(desk.report()["receiver.silent_s"] == nil)
    }
  }

  @Test func aStreamOfCorrectionsIsNamed() {
    var desk = desk { _ in StreamWatchTests.correction + StreamWatchTests.correction }
    desk.run(seconds: 30)
    #expect(text(&desk) == "only corrections come (RTCM), which carry no position")
    #expect(text(&desk, "receiver.advice")?.contains("connect the receiver's own output") == true)
    desk.epoch = { $0.sentences }
    desk.run(seconds: 5)
    #expect(text(&desk) == nil)
  }

  @Test func aReceiverWithoutAFixHasAMinuteToFindOne() {
    let text = "GPRMC,,V,,,,,,,,,,N"
    let sum = text.utf8.reduce(0, ^)
    let sentence = Array("$\(text)*\(String(sum, radix: 16, uppercase: true))\r\n".utf8)
    var desk = desk { _ in sentence }
    desk.run(seconds: 50)
    #expect(self.text(&desk) == nil)
    desk.run(seconds: 30)
    #expect(self.text(&desk) != nil)
  }

  /// GSV alone: sentences, and no position.
  @Test func sentencesWithoutAPositionAreReported() {
    let text = "GPGSV,1,1,01,05,45,120,40"
    let sum = text.utf8.reduce(0, ^)
    let sentence = Array("$\(text)*\(String(sum, radix: 16, uppercase: true))\r\n".utf8)
    var desk = desk { _ in sentence }
    desk.run(seconds: 30)
    #expect(
      self.text(&desk) == "messages come (NMEA), and none of them carries a position")
  }

  /// Two epochs in turn, as a recording in a loop of two lines: none is later than the first.
  @Test func positionsThatAreAllRejectedAreReportedWithTheCause() {
    var isFirst = false
    var desk = desk { _ in
      isFirst.toggle()
      return OddReceiver.sentences(at: isFirst ? "120000.00" : "115500.00")
    }
    desk.run(seconds: 9)
    #expect(text(&desk) == nil)
    desk.run(seconds: 30)
    let expected = "positions come, and every one is rejected: "
    #expect(text(&desk)?.hasPrefix(expected) == true)
    desk.epoch = { $0.sentences }
    desk.run(seconds: 20)
    #expect(text(&desk) == nil)
  }

  /// A clock that stands still: one time of day is one epoch, so no second epoch begins.
  @Test func aReceiverWhoseTimeDoesNotChangeIsReported() {
    var desk = desk { _ in OddReceiver.sentences(at: "120000.00") }
    desk.run(seconds: 9)
    #expect(text(&desk) == nil)
    desk.run(seconds: 30)
    #expect(
      text(&desk)
        == "sentences come, and all bear the same time, 120000.00: the receiver's clock stands still"
    )
    desk.epoch = { $0.sentences }
    desk.run(seconds: 5)
    #expect(text(&desk) == nil)
  }

  /// The other way round: a clock that has run, and stands still from then on.
  @Test func aClockThatStopsIsReportedAfterTenSeconds() {
    var desk = desk { $0.sentences }
    desk.run(seconds: 20)
    desk.epoch = { _ in OddReceiver.sentences(at: "120500.00") }
    desk.run(seconds: 9)
    #expect(text(&desk) == nil)
    desk.run(seconds: 6)
    #expect(text(&desk)?.hasSuffix("the receiver's clock stands still") == true)
  }

  @Test(
    arguments: [
      ([0x1F, 0x8B, 0x08, 0x08], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), ([0x50, 0x4B, 0x03, 0x04], "zip"),
    ] as [([UInt8], String)])
  func aCompressedFileIsReportedByItsFormat(beginning: [UInt8], name: String) {
    var second = 0
    var desk = desk { _ in [] }
    desk.run(seconds: 5)
    desk.epoch = { _ in
      defer { second += 1 }
      let bytes = (0..<400).map {
        UInt8(truncatingIfNeeded: ($0 + second * 400) * 7_919 >> 5) | 0x80
      }
      // The beginning comes in two reads.
      return second == 0
        ? Array(beginning.dropLast()) : second == 1 ? beginning.suffix(1) + bytes : bytes
    }
    desk.run(seconds: 4)
    #expect(
      text(&desk) == "a file comes that is compressed (\(name)), and no message is in it")
    #expect(text(&desk, "receiver.advice")?.contains("decompress") == true)
  }

  @Test func aTrickleOfBytesIsReportedWithItsCount() {
    var desk = desk { _ in [0x24, 0x47, 0x50, 0x52] }
    desk.run(seconds: 40)
    let words = text(&desk) ?? ""
    #expect(words.contains(" bytes came in 10 s and no whole message"))
    #expect(words.hasPrefix("4"))
  }

  @Test func noiseIsReportedAsBytesWithoutAMessage() {
    var desk = desk { _ in (0..<300).map { UInt8($0 % 32) } }
    desk.run(seconds: 40)
    #expect(text(&desk) == "bytes come, and no message is in them")
  }

  /// Seven of ten sentences have a wrong byte, and the others carry no position.
  @Test func aLineThatIsMostlyDamagedIsReportedBeforeMissingPositions() {
    let text = "GPGSV,1,1,01,05,45,120,40"
    let sum = text.utf8.reduce(0, ^)
    let sentence = Array("$\(text)*\(String(sum, radix: 16, uppercase: true))\r\n".utf8)
    var damaged = sentence
    damaged[10] ^= 1
    let second = [damaged, sentence, damaged, damaged, sentence, damaged, damaged, sentence]
    let burst: [UInt8] = (second + [damaged, damaged]).flatMap { $0 }
    var desk = desk { _ in burst }
    desk.run(seconds: 40)
    // Answers of the receiver are whole, so the share is less than 70.
    let share = self.text(&desk)?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    #expect((55...70).contains(share))
    #expect(self.text(&desk)?.hasPrefix("most of the line is damaged: ") == true)
    #expect(self.text(&desk, "receiver.advice")?.contains("ground") == true)
    desk.epoch = { $0.sentences }
    desk.run(seconds: 30)
    #expect(self.text(&desk)?.hasPrefix("most of the line") != true)
  }

  /// RTCM 1005 with zeros in it: preamble, length, payload, CRC-24Q (RTCM 10403.3, section 4).
  private static let correction: [UInt8] = {
    var bytes: [UInt8] = [0xD3, 0x00, 19, 0x3E, 0xD0] + [UInt8](repeating: 0, count: 17)
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte) << 16
      for _ in 0..<8 {
        sum <<= 1
        if sum & 0x100_0000 != 0 { sum ^= 0x186_4CFB }
      }
    }
    bytes += [UInt8(sum >> 16 & 0xFF), UInt8(sum >> 8 & 0xFF), UInt8(sum & 0xFF)]
    return bytes
  }()
}
