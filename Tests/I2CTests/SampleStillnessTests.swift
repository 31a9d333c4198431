import BinnacleBasics
import I2C
import Testing

/// Whether a burst shows no motion, by its bytes alone.
struct SampleStillnessTests {
  /// 30 samples, little-endian: noise of 3 counts around (0, 0, 16,000), and what is added to x.
  private func burst(tagBytes: Int = 0, isBigEndian: Bool = false, x: (Int) -> Int) -> [UInt8] {
    var random = Random(seed: 3)
    return (0..<30).flatMap { index -> [UInt8] in
      let axes = [x(index), 0, 16_000].map { $0 + Int(random.next() % 7) - 3 }
      let bytes = axes.flatMap { value -> [UInt8] in
        let word = UInt16(bitPattern: Int16(clamping: value))
        let pair = [UInt8(truncatingIfNeeded: word), UInt8(word >> 8)]
        return isBigEndian ? pair.reversed() : pair
      }
      return [UInt8](repeating: 0xEE, count: tagBytes) + bytes
    }
  }

  private func stillness(tagBytes: Int = 0, isBigEndian: Bool = false) -> SampleStillness {
    SampleStillness(
      tagBytes: tagBytes, isBigEndian: isBigEndian, spreadMax: 16 * 16, endOfRange: 32_000)
  }

  @Test func noiseIsStill() {
    #expect(stillness().isSeen(in: burst { _ in 0 }))
  }

  @Test func aTiltAndASwayAreNotStill() {
    #expect(!stillness().isSeen(in: burst { $0 * 2 }))
    #expect(!stillness().isSeen(in: burst { $0 / 7 % 2 == 0 ? 40 : -40 }))
    // As small as noise, or too short for any board to be moved by it.
    #expect(stillness().isSeen(in: burst { $0 / 7 % 2 == 0 ? 4 : -4 }))
    #expect(stillness().isSeen(in: burst { $0 == 9 ? 60 : 0 }))
  }

  @Test func aFrozenChipAndTheEndOfTheRangeAreNotStill() {
    #expect(!stillness().isSeen(in: (0..<30).flatMap { _ in [0, 0, 0, 0, 0x80, 0x3E] as [UInt8] }))
    #expect(!stillness().isSeen(in: burst { _ in 32_100 }))
    #expect(!stillness().isSeen(in: burst { _ in -32_100 }))
  }

  /// The first burst of a chip that froze while it was filled.
  @Test func aBurstWhoseLastSamplesAreEqualIsNotStill() {
    let sound = burst { _ in 0 }
    let last = sound.suffix(6)
    func frozen(_ count: Int) -> [UInt8] {
      sound.dropLast(count * 6) + (0..<count).flatMap { _ in last }
    }
    #expect(stillness().isSeen(in: frozen(4)))
    #expect(!stillness().isSeen(in: frozen(5)))
  }

  @Test func bytesAreReadInTheOrderOfTheChip() {
    let still = burst(tagBytes: 1, isBigEndian: true) { _ in 0 }
    #expect(stillness(tagBytes: 1, isBigEndian: true).isSeen(in: still))
    #expect(!stillness().isSeen(in: still))
    let swaying = burst(tagBytes: 1, isBigEndian: true) { $0 / 7 % 2 == 0 ? 40 : -40 }
    #expect(!stillness(tagBytes: 1, isBigEndian: true).isSeen(in: swaying))
  }

  @Test func tooFewSamplesProveNoStillness() {
    #expect(!stillness().isSeen(in: []))
    #expect(!stillness().isSeen(in: Array(burst { _ in 0 }.prefix(18))))
    #expect(stillness().isSeen(in: Array(burst { _ in 0 }.prefix(24))))
  }

  @Test func anExpectedAnswerCountsAsQuiet() {
    let quiet = I2COrder.Quiet.answers([[0x33], nil, [0x47]])
    #expect(quiet.covers([[0x33], [0x01], [0x47]]))
    #expect(quiet.covers([[0x33], [0x99], [0x47], [0x12]]))
    #expect(!quiet.covers([[0x33], [0x01], [0x00]]))
    #expect(!quiet.covers([[0x33], [0x01]]))
  }
}
