import BinnacleBasics
import Testing

@Suite struct ByteReaderTests {
  @Test func aReaderReadsTheBytesOfAWriter() {
    var writer = ByteWriter()
    writer.u8(0xFE)
    writer.u16(0x1234)
    writer.u32(0xDEAD_BEEF)
    writer.u64(.max - 1)
    writer.i8(-2)
    writer.i16(-300)
    writer.i32(.min)
    writer.i64(.min + 1)
    writer.f64(-0.1)
    writer.text("Grüße")
    writer.counted([1, 2, 3])
    var reader = ByteReader(writer.bytes)
    #expect(reader.u8() == 0xFE)
    #expect(reader.u16() == 0x1234)
    #expect(reader.u32() == 0xDEAD_BEEF)
    #expect(reader.u64() == UInt64.max - 1)
    #expect(reader.i8() == -2)
    #expect(reader.i16() == -300)
    #expect(reader.i32() == Int32.min)
    #expect(reader.i64() == Int64.min + 1)
    #expect(reader.f64() == -0.1)
    #expect(reader.text() == "Grüße")
    #expect(reader.counted() == [1, 2, 3])
    #expect(reader.remaining == 0)
  }

  @Test func numbersAreLittleEndian() {
    var writer = ByteWriter()
    writer.u32(0x0403_0201)
    #expect(writer.bytes == [1, 2, 3, 4])
  }

  @Test func readingPastTheEndAlwaysFails() {
    var reader = ByteReader([1, 2, 3])
    #expect(reader.u32() == nil)
    #expect(reader.u8() == nil)
    #expect(reader.remaining == 0)
  }

  @Test func aCountThatIsTooLargeIsNoBytes() {
    var reader = ByteReader([0xFF, 0xFF, 0xFF, 0xFF, 1, 2])
    #expect(reader.counted() == nil)
    var negative = ByteReader([1, 2])
    #expect(negative.take(-1) == nil)
  }

  @Test func textThatIsNotUTF8IsRefused() {
    var reader = ByteReader([2, 0, 0xC3, 0x28])
    #expect(reader.text() == nil)
  }

  @Test func textThatIsTooLongIsCutBetweenCharacters() {
    var writer = ByteWriter()
    writer.text(String(repeating: "ü", count: 40_000))
    var reader = ByteReader(writer.bytes)
    #expect(reader.text()?.utf8.count == 65_534)
  }
}
