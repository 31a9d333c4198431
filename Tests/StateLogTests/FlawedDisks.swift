import BinnacleBasics
import Simulation
import StateLog

/// A disk whose flushes are left out, as in a program that trusts that writing is enough.
struct UnflushedDisk: StateDisk {
  var disk: SimulatedDisk

  init(on disk: SimulatedDisk) {
    self.disk = disk
  }

  var byteCount: Int { disk.byteCount }

  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    try disk.read(count, at: offset)
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) {
    try disk.write(bytes, at: offset)
  }

  mutating func flush() throws(BlockFault) {}
}

/// A disk that makes every checksum right as it is read, so that a log on it is a log without checksums.
struct TrustingDisk: StateDisk {
  private static let blockSize = 1_024
  private static let headerSize = 52

  var disk: SimulatedDisk

  init(on disk: SimulatedDisk) {
    self.disk = disk
  }

  var byteCount: Int { disk.byteCount }

  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    var bytes = try disk.read(count, at: offset)
    for start in stride(from: 0, to: count - TrustingDisk.blockSize + 1, by: TrustingDisk.blockSize)
    {
      mend(&bytes, from: start)
    }
    return bytes
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) {
    try disk.write(bytes, at: offset)
  }

  mutating func flush() throws(BlockFault) {
    try disk.flush()
  }

  /// Mends the block that starts here, when it is a commit of one block whose records have lengths that fit.
  private func mend(_ bytes: inout [UInt8], from start: Int) {
    var reader = ByteReader(bytes[(start + 30)..<start + TrustingDisk.headerSize])
    guard bytes[start..<start + 4].elementsEqual("BnkS".utf8), reader.u16() == 1,
      reader.u64() != nil, let size = reader.u32(), size <= 972
    else { return }
    var digest = CRC32C()
    var record = start + TrustingDisk.headerSize
    let end = record + Int(size)
    while record < end {
      guard record + 12 <= end else { return }
      var head = ByteReader(bytes[record + 3..<record + 8])
      let next = record + 12 + Int(head.u8() ?? 0) + Int(head.u32() ?? 0)
      guard next <= end else { return }
      var sum = CRC32C()
      sum.add(bytes[record..<record + 8])
      sum.add(bytes[record + 12..<next])
      put(sum.value, into: &bytes, at: record + 8)
      digest.add(sum.value)
      record = next
    }
    put(digest.value, into: &bytes, at: start + 44)
    put(CRC32C.of(bytes[start..<start + 48]), into: &bytes, at: start + 48)
  }

  private func put(_ number: UInt32, into bytes: inout [UInt8], at offset: Int) {
    var writer = ByteWriter()
    writer.u32(number)
    bytes.replaceSubrange(offset..<offset + 4, with: writer.bytes)
  }
}

/// A disk that writes whole pages of 4,096 bytes, those around what was asked for included: a log on it writes the
/// blocks of earlier commits again, in place.
struct InPlaceDisk: StateDisk {
  private static let pageSize = 4_096

  var disk: SimulatedDisk

  init(on disk: SimulatedDisk) {
    self.disk = disk
  }

  var byteCount: Int { disk.byteCount }

  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    try disk.read(count, at: offset)
  }

  mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) {
    let size = InPlaceDisk.pageSize
    let start = offset / size * size
    let end = (offset + bytes.count + size - 1) / size * size
    var page = try disk.read(end - start, at: start)
    page.replaceSubrange(offset - start..<offset - start + bytes.count, with: bytes)
    try disk.write(page, at: start)
  }

  mutating func flush() throws(BlockFault) {
    try disk.flush()
  }
}
