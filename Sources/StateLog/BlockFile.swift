/// The storage of a log: a fixed number of bytes that were written before, in a file or a partition.
///
/// The log relies on the following properties only. A read returns the bytes written last. After `flush` has returned,
/// all earlier writes are on the disk. Before that, a power cut may lose or keep any sector of 512 bytes of these
/// writes, in any order. After a file was opened and flushed, reads come from the disk, not from a cache left by an
/// earlier failure.
public protocol BlockFile {
  /// The number of bytes.
  var byteCount: Int { get }

  /// Reads exactly this number of bytes.
  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8]

  /// Writes bytes; after an error any part of the bytes may have been written.
  mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault)

  /// Waits until all earlier writes are on the disk; after an error any part of them may be lost permanently.
  mutating func flush() throws(BlockFault)
}
