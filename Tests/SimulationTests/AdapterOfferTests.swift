import BinnacleBasics
import I2C
import Simulation
import Testing

/// An offer as the kernel module writes it: address, flags and length of each message, then the bytes of the writes.
private func offer(
  id: UInt32 = 7, _ messages: [(address: UInt16, flags: UInt16, length: UInt16)],
  written: [UInt8] = []
) -> [UInt8] {
  var writer = ByteWriter()
  writer.u32(id)
  writer.i32(Int32(messages.count))
  for message in messages {
    writer.u16(message.address)
    writer.u16(message.flags)
    writer.u16(message.length)
  }
  writer.put(written)
  return writer.bytes
}

struct AdapterOfferTests {
  @Test func aCombinedTransferIsReadAndAnswered() throws {
    let bytes = offer([(0x18, 0x200, 1), (0x18, 0x201, 3)], written: [0xA8])
    let read = try #require(AdapterOffer(decoding: bytes))
    #expect(read.transfer == I2CTransfer.read(3, from: 0xA8, of: 0x18))
    #expect(read.answer(.answers([[1, 2, 3]])) == [7, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3])
    #expect(read.answer(.failure(errno: 121)) == [7, 0, 0, 0, 0x87, 0xFF, 0xFF, 0xFF])
  }

  @Test func anAnswerHasTheLengthThatWasAskedFor() throws {
    let read = try #require(AdapterOffer(decoding: offer([(0x18, 1, 3)])))
    #expect(read.answer(.answers([[9]])).dropFirst(8) == [9, 0xFF, 0xFF])
    #expect(read.answer(.answers([[1, 2, 3, 4]])).dropFirst(8) == [1, 2, 3])
  }

  @Test func anUnsupportedTransferIsRefused() throws {
    let several = try #require(AdapterOffer(decoding: offer([(0x18, 1, 1), (0x19, 1, 1)])))
    #expect(several.transfer == nil)
    let tenBits = try #require(AdapterOffer(decoding: offer([(0x18, 0x11, 1)])))
    #expect(tenBits.transfer == nil)
    let empty = try #require(AdapterOffer(decoding: offer([(0x18, 0, 0)])))
    #expect(empty.transfer == nil)
  }

  @Test func damagedOffersAreNone() {
    let good = offer([(0x18, 0, 2)], written: [1, 2])
    for count in 0..<good.count { #expect(AdapterOffer(decoding: Array(good[..<count])) == nil) }
    #expect(AdapterOffer(decoding: good + [0]) == nil)
    #expect(AdapterOffer(decoding: offer([])) == nil)
  }
}
