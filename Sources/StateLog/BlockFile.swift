/// Where a log lives: a row of bytes of fixed length that was written before, a file or a partition.
///
/// What the log expects, and nothing more: bytes read are those written last; after `flush` has returned, what was
/// written before is on the disk; before that any 512 bytes of it may or may not be there, in any order. Right after it
/// was opened and flushed, what is read comes from the disk, not from a cache that an earlier failure has left behind.
public protocol BlockFile {
  /// How many bytes there are.
  var byteCount: Int { get }

  /// Reads exactly as many bytes as asked for.
  mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8]

  /// Writes bytes; after an error any part of them may have been written.
  mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault)

  /// Waits until everything that was written is on the disk; after an error any part of it may be missing, for ever.
  mutating func flush() throws(BlockFault)
}
