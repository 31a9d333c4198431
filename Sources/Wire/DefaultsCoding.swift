import BinnacleBasics
public import BinnacleModel

/// The bytes of what apps keep: a key, and the encoded value behind a 16-bit count; none when there is none.
extension ByteWriter {
  mutating func put(_ entries: [DefaultsEntry]) {
    u16(UInt16(entries.count))
    for entry in entries {
      let value = entry.value?.encoded ?? []
      precondition(
        entry.key.utf8.count + value.count <= 65_535 - 4, "an entry goes into a packet")
      text(entry.key, sizeMax: 65_535)
      u16(UInt16(value.count))
      put(value)
    }
  }
}

extension FieldReader {
  mutating func defaultsEntries() throws(WireError) -> [DefaultsEntry] {
    var entries: [DefaultsEntry] = []
    for _ in 0..<(try u16()) {
      let key = try text("key")
      let bytes = try take(Int(try u16()))
      if bytes.isEmpty {
        entries.append(DefaultsEntry(key, nil))
      } else {
        guard let value = DefaultsValue(encoded: bytes) else { throw invalid("value") }
        entries.append(DefaultsEntry(key, value))
      }
    }
    return entries
  }
}

extension DefaultsEntry {
  /// Bytes of the entry in a message.
  fileprivate var wireSize: Int { 4 + key.utf8.count + (value?.encodedSize ?? 0) }

  /// Pieces of a list that each take so many bytes at most; one at least, maybe an empty one.
  fileprivate static func pieces(of entries: [DefaultsEntry], sizeMax: Int) -> [[DefaultsEntry]] {
    var pieces: [[DefaultsEntry]] = [[]]
    var size = 0
    for entry in entries {
      if size + entry.wireSize > sizeMax, size > 0 {
        pieces.append([])
        size = 0
      }
      pieces[pieces.count - 1].append(entry)
      size += entry.wireSize
    }
    return pieces
  }
}

extension ClientMessage {
  /// The pieces of a change of many entries, each with a number of its own.
  ///
  /// - Parameters:
  ///   - request: the number before the first of them.
  ///   - entries: what is changed, all at once.
  /// - Returns: the pieces with their numbers, in order.
  public static func setDefaults(
    after request: UInt32, _ entries: [DefaultsEntry]
  ) -> [(request: UInt32, message: ClientMessage)] {
    // Behind the header: type, request, isLast, count.
    let pieces = DefaultsEntry.pieces(of: entries, sizeMax: WireLimits.requestSizeMax - 8)
    return pieces.enumerated().map { index, piece in
      let number = request &+ UInt32(index + 1)
      let isLast = index == pieces.count - 1
      return (number, .request(number, .setDefaults(isLast: isLast, piece)))
    }
  }
}

extension ServerMessage {
  /// The answer to `openDefaults`, in pieces that fit into packets.
  public static func defaults(request: UInt32, of entries: [DefaultsEntry]) -> [ServerMessage] {
    let pieces = DefaultsEntry.pieces(of: entries, sizeMax: WireLimits.packetSizeMax - 8)
    return pieces.enumerated().map { index, piece in
      .defaults(request: request, isLast: index == pieces.count - 1, piece)
    }
  }

  /// What other clients of an app are told of changed entries, in pieces that fit into packets.
  public static func defaultsChanged(of entries: [DefaultsEntry]) -> [ServerMessage] {
    DefaultsEntry.pieces(of: entries, sizeMax: WireLimits.packetSizeMax - 8).map {
      .defaultsChanged($0)
    }
  }
}
