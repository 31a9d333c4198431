/// A file in memory, for a log that is sent or saved as a whole.
public struct MemoryFile: BlockFile, Sendable {
  /// The content of the file.
  public private(set) var bytes: [UInt8]

  /// Makes a file of zeros with the size of a layout.
  public init(_ geometry: LogGeometry) {
    bytes = [UInt8](repeating: 0, count: geometry.byteCount)
  }

  public var byteCount: Int { bytes.count }

  public mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    guard count >= 0, offset >= 0, offset + count <= bytes.count else { throw .inputOutput }
    return Array(bytes[offset..<offset + count])
  }

  public mutating func write(_ piece: [UInt8], at offset: Int) throws(BlockFault) {
    guard offset >= 0, offset + piece.count <= bytes.count else { throw .noSpace }
    bytes.replaceSubrange(offset..<offset + piece.count, with: piece)
  }

  public mutating func flush() throws(BlockFault) {}
}
