/// Encodes records as the blocks of a commit.
struct CommitEncoder {
  let geometry: LogGeometry
  let owner: UInt64
  let epoch: UInt32

  /// The blocks of one commit in one array; `position` is the number of its first block in the file.
  func blocks(
    of changes: [Change], sequence: UInt64, position: Int, isSnapshot: Bool = false,
    endsSnapshot: Bool = false
  ) -> [UInt8] {
    var payload: [UInt8] = []
    var digest = CRC32C()
    for change in changes { digest.add(change.encode(into: &payload)) }
    let count = geometry.blockCount(ofPayload: payload.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * geometry.blockSize)
    for part in 0..<count {
      let header = BlockHeader(
        geometry: geometry, isSnapshot: isSnapshot, endsSnapshot: endsSnapshot,
        position: position + part, owner: owner, epoch: epoch, part: part, partCount: count,
        sequence: sequence, payloadSize: payload.count, digest: digest.value)
      bytes += header.encoded()
      bytes += payload.dropFirst(part * geometry.payloadPerBlock).prefix(geometry.payloadPerBlock)
      bytes += [UInt8](repeating: 0, count: (part + 1) * geometry.blockSize - bytes.count)
    }
    return bytes
  }

  /// The commits of the snapshot at the start of a segment: all records, one block per commit.
  ///
  /// One commit per block limits the loss: a damaged block loses only its own records.
  ///
  /// - Returns: the blocks in one array, and the number of commits.
  func snapshot(
    of entries: [RecordSet.Entry], sequence: UInt64, position: Int
  ) -> (bytes: [UInt8], commitCount: Int) {
    var groups: [[Change]] = [[]]
    var size = 0
    for entry in entries {
      let change = entry.change
      if size > 0, size + change.encodedSize > geometry.payloadPerBlock {
        groups.append([])
        size = 0
      }
      groups[groups.count - 1].append(change)
      size += change.encodedSize
    }
    var bytes: [UInt8] = []
    for (index, group) in groups.enumerated() {
      bytes += blocks(
        of: group, sequence: sequence + UInt64(index),
        position: position + bytes.count / geometry.blockSize, isSnapshot: true,
        endsSnapshot: index == groups.count - 1)
    }
    return (bytes, groups.count)
  }
}
