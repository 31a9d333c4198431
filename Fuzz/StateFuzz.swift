import BinnacleBasics
import StateLog

/// A log of any bytes is read, and can be continued: a commit is present when the log is read again.
///
/// The checksums of headers are corrected first; otherwise the fuzzer would never pass them.
func fuzzStateLog(_ bytes: [UInt8]) {
  guard let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) else { return }
  var mended = bytes
  for start in stride(from: 0, to: bytes.count - 511, by: 512) {
    mended.replaceSubrange(start..<start + 4, with: "BnkS".utf8)
    var writer = ByteWriter()
    writer.u32(CRC32C.of(mended[start..<start + 48]))
    mended.replaceSubrange(start + 48..<start + 52, with: writer.bytes)
  }
  for image in [bytes, mended] {
    var file = MemoryFile(bytes: image)
    let recovery = Recovery(of: &file, owner: 0, expecting: geometry)
    guard var log = StateLog(continuing: recovery, on: file) else { continue }
    let name = RecordName(kind: 1)
    guard (try? log.commit([Change(name, .put([1, 2, 3], isCautious: true))])) != nil else {
      continue
    }
    let again = Recovery(of: &log.file, owner: 0, expecting: geometry)
    precondition(again.verdict == .sound, "a commit left a log that is \(again.verdict)")
    precondition(again.records == log.records, "what was committed is not what is read")
  }
}

/// Bytes in memory as a log's file.
struct MemoryFile: BlockFile {
  var bytes: [UInt8]

  var byteCount: Int { bytes.count }

  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    guard count >= 0, offset >= 0, offset + count <= bytes.count else { throw .inputOutput }
    return Array(bytes[offset..<offset + count])
  }

  mutating func write(_ more: [UInt8], at offset: Int) throws(BlockFault) {
    guard offset >= 0, offset + more.count <= bytes.count else { throw .noSpace }
    bytes.replaceSubrange(offset..<offset + more.count, with: more)
  }

  mutating func flush() throws(BlockFault) {}
}
