import BinnacleBasics
import Testing

@Suite struct ByteWriterTests {
  /// The expected bytes, appended one by one.
  private static func littleEndian(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  @Test func theOutputDoesNotDependOnTheCapacity() {
    for start in 0..<600 {
      var writer = ByteWriter()
      writer.put([UInt8](repeating: 7, count: start))
      writer.u64(0x0102_0304_0506_0708)
      writer.u8(9)
      writer.put([1, 2, 3])
      writer.put(repeatElement(4, count: 300))
      let expected =
        [UInt8](repeating: 7, count: start) + ByteWriterTests.littleEndian(0x0102_0304_0506_0708)
        + [9, 1, 2, 3] + [UInt8](repeating: 4, count: 300)
      #expect(writer.bytes == expected)
      #expect(writer.count == expected.count)
      #expect(Array(writer.written) == expected)
    }
  }

  @Test func removedBytesDoNotReturn() {
    var writer = ByteWriter()
    for value in 0..<100 { writer.u64(.max - UInt64(value)) }
    writer.removeAll()
    #expect(writer.bytes.isEmpty)
    writer.u16(0x0201)
    writer.put([])
    #expect(writer.bytes == [1, 2])
    #expect(writer.count == 2)
  }

  @Test func aCopyKeepsItsBytes() {
    var writer = ByteWriter()
    writer.u32(1)
    let copy = writer
    writer.removeAll()
    writer.u32(2)
    #expect(copy.bytes == [1, 0, 0, 0])
    #expect(writer.bytes == [2, 0, 0, 0])
  }
}
