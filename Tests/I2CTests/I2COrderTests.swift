import I2C
import Testing

@Suite struct I2COrderTests {
  private func read(
    unit: Int = 1, whole: Int = 6, max: Int = 192, isBigEndian: Bool = true, mask: UInt32 = 0xFFFF,
    manner: I2CCountedRead.Manner = .burst
  ) -> I2CCountedRead {
    I2CCountedRead(
      level: .read(2, from: 0x72, of: 0x68), isBigEndian: isBigEndian, mask: mask, unitBytes: unit,
      wholeBytes: whole, bytesMax: max, register: 0x74, manner: manner)
  }

  @Test func transfersBeyondTheLimitsAreRefused() {
    #expect(I2CTransfer(checking: 0x18, parts: [.read(8_192)]) != nil)
    #expect(I2CTransfer(checking: 0x18, parts: [.read(8_193)]) == nil)
    #expect(I2CTransfer(checking: 0x18, parts: [.write([])]) == nil)
    #expect(I2CTransfer(checking: 0x18, parts: []) == nil)
    #expect(I2CTransfer(checking: 0x18, parts: Array(repeating: .read(1), count: 43)) == nil)
    #expect(I2CTransfer(checking: 0x80, parts: [.read(1)]) == nil)
  }

  @Test func onlyWholeSamplesAreRead() {
    #expect(read().byteCount(level: [0, 29]) == 24)
    #expect(read().byteCount(level: [0, 5]) == 0)
  }

  @Test func aLevelIsReadInItsOwnOrderAndThroughItsMask() {
    #expect(read(unit: 6).byteCount(level: [0, 3]) == 18)
    #expect(read(unit: 6, isBigEndian: false).byteCount(level: [3, 0]) == 18)
    #expect(read(unit: 6, mask: 0x1F).byteCount(level: [0xFF, 0xE2]) == 12)
  }

  @Test func aLevelOfNonsenseReadsNoMoreThanIsAllowed() {
    #expect(read(unit: 6, max: 200).byteCount(level: [0xFF, 0xFF]) == 198)
    #expect(read(unit: .max, max: 200).byteCount(level: [0xFF, 0xFF]) == 198)
  }

  @Test func aBurstIsOneTransferAndOthersAreJoinedUpToTheLimit() {
    #expect(
      read().transfers(byteCount: 24, isJoined: true) == [.read(24, from: 0x74, of: 0x68)])
    #expect(read().transfers(byteCount: 0, isJoined: true) == [])
    let each = read(manner: .each)
    #expect(each.transfers(byteCount: 6 * 30, isJoined: true).map(\.parts.count) == [42, 18])
    #expect(
      each.transfers(byteCount: 12, isJoined: false)
        == [.read(6, from: 0x74, of: 0x68), .read(6, from: 0x74, of: 0x68)])
  }

  @Test func theLevelAndTheCertainSamplesAreOneTransfer() {
    #expect(
      read().transfersWithLevel(byteCount: 24)
        == [
          I2CTransfer(
            address: 0x68, parts: [.write([0x72]), .read(2), .write([0x74]), .read(24)])
        ])
    #expect(read().transfersWithLevel(byteCount: 0) == [.read(2, from: 0x72, of: 0x68)])
    let each = read(manner: .each).transfersWithLevel(byteCount: 6 * 28)
    #expect(each.map(\.parts.count) == [42, 16])
    #expect(each.map { $0.readCounts.reduce(0, +) } == [2 + 20 * 6, 8 * 6])
  }

  @Test func onlyTransfersWithoutEffectAreRepeated() {
    let kinds = I2CFailure.allCases.filter(\.isWorthRepeating)
    #expect(kinds == [.noAcknowledge, .arbitrationLost])
  }
}
