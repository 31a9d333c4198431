import BinnacleBasics

/// A second copy of critical data: the number of the last acknowledged commit, and the records that protect a person.
///
/// An unreadable commit at the end of a log has two possible causes: a power cut interrupted the write, or the commit
/// was acknowledged and corrupted later. The mark distinguishes the two: it is written after the commit is on the disk.
/// Each of its two pages names a commit: a power cut during the write of one page leaves the other
/// page readable. `Docs/SPEC-state.md` has its bytes.
public struct CommitMark: Equatable, Sendable {
  /// Two pages: the number of the last commit, and the protection records.
  public static let byteCount = 2 * pageSize
  static let pageSize = 4_096
  static let version: UInt8 = 1

  /// The records that protect a person, as of an acknowledged commit.
  public struct Protection: Equatable, Sendable {
    /// The commit that wrote the records.
    public var sequence: UInt64
    public var records: [Change]
  }

  /// The last commit known to be acknowledged; 0 in the mark of a log that is being created.
  public var sequence: UInt64
  /// The commit that the first page names; nil when the page cannot be read.
  let latest: UInt64?
  /// nil when the records cannot be read.
  public var protection: Protection?

  // MARK: The first page

  private static let latestMagic = Array("BnkL".utf8)
  private static let sectorSize = 512

  /// The sector with the number of the last acknowledged commit.
  static func latest(_ sequence: UInt64, owner: UInt64) -> [UInt8] {
    var writer = head(latestMagic, sequence, owner: owner)
    writer.u32(CRC32C.of(writer.bytes[...]))
    return padded(writer.bytes)
  }

  private static func readLatest(_ page: ArraySlice<UInt8>, owner: UInt64) -> UInt64? {
    var reader = ByteReader(page)
    guard let sequence = readHead(latestMagic, from: &reader, owner: owner),
      reader.u32() == CRC32C.of(page.prefix(headSize))
    else { return nil }
    return sequence
  }

  // MARK: The second page

  private static let protectionMagic = Array("BnkP".utf8)

  /// The page with the protection records; nil when they do not fit.
  static func protection(
    _ records: [Change], sequence: UInt64, owner: UInt64
  ) -> [UInt8]? {
    var payload: [UInt8] = []
    for change in records { change.encode(into: &payload) }
    var writer = head(protectionMagic, sequence, owner: owner)
    writer.u32(UInt32(payload.count))
    writer.put(payload)
    writer.u32(CRC32C.of(writer.bytes[...]))
    return writer.count <= pageSize ? padded(writer.bytes) : nil
  }

  private static func readProtection(_ page: ArraySlice<UInt8>, owner: UInt64) -> Protection? {
    var reader = ByteReader(page)
    guard let sequence = readHead(protectionMagic, from: &reader, owner: owner),
      let size = reader.u32().map({ Int($0) }), size <= pageSize - headSize - 8
    else { return nil }
    let payload = page.dropFirst(headSize + 4).prefix(size)
    var end = ByteReader(page.dropFirst(headSize + 4 + size))
    guard end.u32() == CRC32C.of(page.prefix(headSize + 4 + size)),
      let records = Change.decodeAll(Array(payload))
    else { return nil }
    return Protection(sequence: sequence, records: records)
  }

  // MARK: Both

  /// Magic, version, three zeros, owner, sequence.
  private static let headSize = 24

  private static func head(_ magic: [UInt8], _ sequence: UInt64, owner: UInt64) -> ByteWriter {
    var writer = ByteWriter()
    writer.put(magic)
    writer.put([version, 0, 0, 0])
    writer.u64(owner)
    writer.u64(sequence)
    return writer
  }

  private static func readHead(
    _ magic: [UInt8], from reader: inout ByteReader, owner: UInt64
  ) -> UInt64? {
    for byte in magic { guard reader.u8() == byte else { return nil } }
    guard reader.u8() == version, reader.u8() != nil, reader.u16() != nil, reader.u64() == owner,
      let sequence = reader.u64(), sequence <= BlockHeader.sequenceMax
    else { return nil }
    return sequence
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let count = (bytes.count + sectorSize - 1) / sectorSize * sectorSize
    return bytes + [UInt8](repeating: 0, count: count - bytes.count)
  }

  /// Reads a mark; nil when neither page is valid for this board.
  ///
  /// - Parameters:
  ///   - bytes: ``byteCount`` bytes.
  ///   - owner: the number of the expected board.
  init?(_ bytes: [UInt8], owner: UInt64) {
    latest = CommitMark.readLatest(bytes.prefix(CommitMark.pageSize), owner: owner)
    protection = CommitMark.readProtection(
      bytes.dropFirst(CommitMark.pageSize), owner: owner)
    guard let sequence = [latest, protection?.sequence].compactMap({ $0 }).max() else {
      return nil
    }
    self.sequence = sequence
  }

  /// Whether a partition may be vacant although these bytes are at the place of its mark.
  ///
  /// - Parameter bytes: ``byteCount`` bytes.
  /// - Returns: true for zeros, for a mark, and for the remains of a creation that a power cut
  ///   interrupted: the first sector of the second page is written first.
  public static func mayBeVacant(_ bytes: [UInt8]) -> Bool {
    let first = bytes.prefix(pageSize)
    let second = bytes.dropFirst(pageSize + sectorSize)
    return (first.starts(with: latestMagic) || first.allSatisfy { $0 == 0 })
      && second.allSatisfy { $0 == 0 }
  }
}
