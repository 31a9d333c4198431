import I2C
import Testing

@Suite struct I2CMessageTests {
  private let transfer = I2CTransfer(
    address: 0x53, parts: [.write([0x39]), .read(1), .write([0x32, 7]), .read(300)])

  @Test func aRequestSurvivesItsBytes() {
    let request = I2CMessage.Request(number: 7, transfer: transfer)
    #expect(I2CMessage.Request(decoding: request.encoded()) == request)
  }

  @Test func aRequestLooksAsTheSpecificationSays() {
    let request = I2CMessage.Request(
      number: 0x0102, transfer: .read(6, from: 0xA8, of: 0x18))
    #expect(
      request.encoded() == [
        2, 1, 0, 0, 0x18, 2, 0, 1, 0, 0xA8, 1, 6, 0,
      ])
  }

  @Test func aRequestThatIsCutOffOrGoesOnIsNone() {
    let bytes = I2CMessage.Request(number: 7, transfer: transfer).encoded()
    for length in bytes.indices {
      #expect(I2CMessage.Request(decoding: Array(bytes[..<length])) == nil)
    }
    #expect(I2CMessage.Request(decoding: bytes + [0]) == nil)
  }

  @Test func aRequestBeyondTheLimitsIsNone() {
    func request(_ address: UInt8, _ parts: [UInt8]) -> I2CMessage.Request? {
      I2CMessage.Request(decoding: [1, 0, 0, 0, address] + parts)
    }
    #expect(request(0x18, [1, 1, 6, 0]) != nil)
    #expect(request(0x07, [1, 1, 6, 0]) == nil)
    #expect(request(0x78, [1, 1, 6, 0]) == nil)
    #expect(request(0x18, [0]) == nil)
    #expect(request(0x18, [1, 1, 0, 0]) == nil)
    #expect(request(0x18, [1, 1, 1, 0x20]) == nil)
    #expect(request(0x18, [1, 2, 6, 0]) == nil)
    let many = [UInt8](repeating: 1, count: 3 * 43).enumerated().map { $0 % 3 == 2 ? 0 : $1 }
    #expect(request(0x18, [43] + many) == nil)
    #expect(request(0x18, [42] + many.prefix(3 * 42)) != nil)
  }

  @Test func anAnswerSurvivesItsBytes() {
    let good = I2CMessage.Answer(number: 9, result: .answers([[1], [2, 3]]))
    #expect(I2CMessage.Answer(decoding: good.encoded(), readCounts: [1, 2]) == good)
    #expect(I2CMessage.Answer(decoding: good.encoded(), readCounts: [1, 1]) == nil)
    #expect(I2CMessage.Answer(decoding: good.encoded(), readCounts: [1, 3]) == nil)
    let bad = I2CMessage.Answer(number: 9, result: .failure(errno: 121))
    #expect(I2CMessage.Answer(decoding: bad.encoded(), readCounts: [1, 2]) == bad)
    #expect(I2CMessage.Answer(decoding: bad.encoded() + [0], readCounts: [1, 2]) == nil)
  }
}
