import I2C
import Testing
import VirtualWire

@Suite struct BusMessageTests {
  private let transfer = I2CTransfer(
    address: 0x53, parts: [.write([0x39]), .read(1), .write([0x32, 7]), .read(300)])

  @Test func anOrderSurvivesItsBytes() {
    let order = BusOrder(ticket: 7, transfer: transfer)
    #expect(BusOrder(decoding: order.encoded()) == order)
  }

  @Test func anOrderThatIsCutOffOrContinuesIsNone() {
    let bytes = BusOrder(ticket: 7, transfer: transfer).encoded()
    for length in bytes.indices {
      #expect(BusOrder(decoding: Array(bytes[..<length])) == nil)
    }
    #expect(BusOrder(decoding: bytes + [0]) == nil)
  }

  @Test func anOrderBeyondTheLimitsIsNone() {
    func order(_ address: UInt8, _ parts: [UInt8]) -> BusOrder? {
      BusOrder(decoding: [5, 1, 0, 0, 0, address] + parts)
    }
    #expect(order(0x18, [1, 1, 6, 0]) != nil)
    #expect(order(0x07, [1, 1, 6, 0]) == nil)
    #expect(order(0x78, [1, 1, 6, 0]) == nil)
    #expect(order(0x18, [0]) == nil)
    #expect(order(0x18, [1, 1, 0, 0]) == nil)
    #expect(order(0x18, [1, 1, 1, 0x20]) == nil)
    #expect(order(0x18, [1, 2, 6, 0]) == nil)
    let reads = Array(repeatElement([UInt8(1), 1, 0], count: 43).joined())
    #expect(order(0x18, [43] + reads) == nil)
    #expect(order(0x18, [42] + reads.prefix(3 * 42)) != nil)
  }

  @Test func anAnswerSurvivesItsBytes() {
    let answers: [BusAnswer] = [
      .bytes(ticket: 9, []), .bytes(ticket: 9, [1, 2, 3]), .failed(ticket: 9, errno: 121),
    ]
    for answer in answers {
      let bytes = answer.encoded()
      #expect(BusAnswer(decoding: bytes) == answer)
      #expect(BusAnswer(decoding: bytes + [0]) == nil)
      #expect(BusAnswer(decoding: bytes.dropLast()) == nil)
    }
    #expect(BusAnswer(decoding: [138, 9, 0, 0, 0, 0, 0]) == nil)
  }

  @Test func theLargestAnswerIsOneMessage() {
    let bytes = [UInt8](repeating: 1, count: BusAnswer.bytesMax)
    #expect(
      BusAnswer.bytes(ticket: 1, bytes).encoded().count == VirtualLimits.messageSizeMax)
  }
}
