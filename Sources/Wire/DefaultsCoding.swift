import BinnacleBasics
public import BinnacleModel

/// The encoding of defaults: a key, and the encoded value after its 16-bit size; the size is 0 without a value.
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
  /// The size of the entry in a message, in bytes.
  fileprivate var wireSize: Int { 4 + key.utf8.count + (value?.encodedSize ?? 0) }

  /// Splits a list into pieces of limited size in bytes; an empty list makes one empty piece.
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
  /// A change of many entries as several messages, each with its own number.
  ///
  /// - Parameters:
  ///   - request: the number before the first message's number.
  ///   - entries: the changes, which take effect together.
  /// - Returns: the messages with their numbers, in order.
  public static func setDefaults(
    after request: UInt32, _ entries: [DefaultsEntry]
  ) -> [(request: UInt32, message: ClientMessage)] {
    // The header has the type, the request, isLast and the count.
    let pieces = DefaultsEntry.pieces(of: entries, sizeMax: WireLimits.requestSizeMax - 8)
    return pieces.enumerated().map { index, piece in
      let number = request &+ UInt32(index + 1)
      let isLast = index == pieces.count - 1
      return (number, .request(number, .setDefaults(isLast: isLast, piece)))
    }
  }
}

extension ServerMessage {
  /// The answer to `openDefaults` as several messages, each of which fits into a packet.
  public static func defaults(request: UInt32, of entries: [DefaultsEntry]) -> [ServerMessage] {
    let pieces = DefaultsEntry.pieces(of: entries, sizeMax: WireLimits.packetSizeMax - 8)
    return pieces.enumerated().map { index, piece in
      .defaults(request: request, isLast: index == pieces.count - 1, piece)
    }
  }

  /// The notification of changed entries as several messages, each of which fits into a packet.
  public static func defaultsChanged(of entries: [DefaultsEntry]) -> [ServerMessage] {
    DefaultsEntry.pieces(of: entries, sizeMax: WireLimits.packetSizeMax - 8).map {
      .defaultsChanged($0)
    }
  }
}
