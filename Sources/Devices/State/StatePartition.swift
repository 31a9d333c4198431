public import StateLog

/// A raw partition with a state log: without a file system a change writes no inode.
///
/// A partition may contain any data. Therefore a log is created only if certain areas are zero, or have the remains of
/// an interrupted creation. These areas are that of the log, and those of the signatures of file systems and volume
/// managers. `binnacle state prepare` fills them with zeros.
public enum StatePartition {
  /// The end of a partition, where the superblock of a RAID or the copy of a partition table may be
  /// (md(4), "1.0 and 0.9"; UEFI 2.10, 5.3.2).
  static let tailSize = 1_048_576

  /// Whether a path is that of a device.
  public static func isNamed(by path: String) -> Bool { path.hasPrefix("/dev/") }

  /// Whether a log may be created here without the operator's confirmation.
  ///
  /// - Throws: the reason why the partition could not be read.
  public static func isVacant(
    _ file: inout LogFile, geometry: LogGeometry
  ) throws(BlockFault) -> Bool {
    // Creation writes the first block first, so an interrupted creation may have left that block.
    let first = try file.read(geometry.blockSize, at: 0)
    let magic = Array("BnkS".utf8)
    guard Array(first.prefix(magic.count)) == magic || first.allSatisfy({ $0 == 0 }) else {
      return false
    }
    var tail = tail(of: file, geometry: geometry)
    let mark = geometry.byteCount..<geometry.byteCount + CommitMark.byteCount
    if tail.overlaps(mark), mark.upperBound <= file.byteCount {
      // Creation writes the mark before the first block, so it may have left a mark.
      let bytes = try file.read(CommitMark.byteCount, at: mark.lowerBound)
      guard CommitMark.mayBeVacant(bytes) else { return false }
      tail = mark.upperBound..<tail.upperBound
    }
    for span in [geometry.blockSize..<geometry.byteCount, tail] {
      for piece in pieces(of: span) {
        guard try file.read(piece.count, at: piece.lowerBound).allSatisfy({ $0 == 0 }) else {
          return false
        }
      }
    }
    return true
  }

  /// Overwrites the areas of a log and of other signatures with zeros; their content is lost.
  ///
  /// - Throws: the reason why the partition could not be prepared.
  public static func clear(_ file: inout LogFile, geometry: LogGeometry) throws(BlockFault) {
    let log = 0..<min(geometry.byteCount + CommitMark.byteCount, file.byteCount)
    for span in [log, tail(of: file, geometry: geometry)] {
      for piece in pieces(of: span) {
        try file.write([UInt8](repeating: 0, count: piece.count), at: piece.lowerBound)
      }
    }
    try file.flush()
  }

  /// The known kind of data on a partition, in words; nil if no signature is found.
  ///
  /// The signatures are those of libblkid (util-linux), which names each by the header of its format.
  public static func occupant(of file: inout LogFile) -> String? {
    for mark in marks {
      let bytes = Array(mark.bytes)
      if (try? file.read(bytes.count, at: mark.offset)) == bytes { return mark.name }
    }
    return nil
  }

  private static let marks: [(name: String, offset: Int, bytes: [UInt8])] = [
    ("a log of state", 0, Array("BnkS".utf8)),
    ("an ext2, ext3 or ext4 file system", 0x438, [0x53, 0xEF]),
    ("an XFS file system", 0, Array("XFSB".utf8)),
    ("a Btrfs file system", 0x1_0040, Array("_BHRfS_M".utf8)),
    ("an F2FS file system", 0x400, [0x10, 0x20, 0xF5, 0xF2]),
    ("a SquashFS file system", 0, Array("hsqs".utf8)),
    ("an encrypted volume (LUKS)", 0, Array("LUKS".utf8) + [0xBA, 0xBE]),
    ("a volume of LVM", 0x200, Array("LABELONE".utf8)),
    ("swap space", 4_086, Array("SWAPSPACE2".utf8)),
    ("a partition table (GPT)", 0x200, Array("EFI PART".utf8)),
    ("a partition table or a FAT file system", 510, [0x55, 0xAA]),
  ]

  private static func tail(of file: LogFile, geometry: LogGeometry) -> Range<Int> {
    max(geometry.byteCount, file.byteCount - tailSize)..<max(geometry.byteCount, file.byteCount)
  }

  private static func pieces(of span: Range<Int>) -> [Range<Int>] {
    stride(from: span.lowerBound, to: span.upperBound, by: 65_536).map {
      $0..<min($0 + 65_536, span.upperBound)
    }
  }
}
