/// The bytes of one segment, and its unreadable blocks.
struct Segment {
  let geometry: LogGeometry
  /// 0 or 1.
  let number: Int
  private(set) var headers: [BlockHeader.Reading] = []
  /// Whether each block is unreadable: the disk failed to read it, or the file is too short.
  private(set) var unreadable: [Bool] = []
  /// The bytes of each block; empty for an unreadable block.
  private var blocks: [ArraySlice<UInt8>] = []

  /// Reads a segment at once, or block by block if that fails.
  init<File: BlockFile>(_ number: Int, of file: inout File, geometry: LogGeometry) {
    self.geometry = geometry
    self.number = number
    let start = number * geometry.segmentSize
    if start + geometry.segmentSize <= file.byteCount,
      let whole = try? file.read(geometry.segmentSize, at: start)
    {
      for index in 0..<geometry.blocksPerSegment {
        blocks.append(whole[index * geometry.blockSize..<(index + 1) * geometry.blockSize])
      }
    } else {
      for index in 0..<geometry.blocksPerSegment {
        let offset = start + index * geometry.blockSize
        let isThere = offset + geometry.blockSize <= file.byteCount
        let block = isThere ? try? file.read(geometry.blockSize, at: offset) : nil
        blocks.append(block?[...] ?? [])
      }
    }
    unreadable = blocks.map(\.isEmpty)
    headers = blocks.map { $0.isEmpty ? .damaged : BlockHeader.reading($0) }
  }

  /// The header of a block; nil if the block belongs to another log or another position.
  func header(_ index: Int, owner: UInt64) -> BlockHeader? {
    guard case .header(let header) = headers[index], header.owner == owner,
      header.geometry == geometry,
      header.position == number * geometry.blocksPerSegment + index
    else { return nil }
    return header
  }

  /// The commit that starts at a block; nil if a part of the commit is missing or damaged.
  func commit(at index: Int, header: BlockHeader) -> [Change]? {
    guard header.part == 0, index + header.partCount <= geometry.blocksPerSegment else {
      return nil
    }
    var payload: [UInt8] = []
    var expected = header
    for part in 0..<header.partCount {
      expected.part = part
      expected.position = header.position + part
      guard headers[index + part] == .header(expected) else { return nil }
      let rest = header.payloadSize - payload.count
      payload += blocks[index + part].dropFirst(BlockHeader.size)
        .prefix(min(rest, geometry.payloadPerBlock))
    }
    return Change.decodeAll(payload, digest: header.digest)
  }
}
