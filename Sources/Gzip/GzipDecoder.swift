import CZlib

/// Decompresses gzip (RFC 1952), in pieces of any size.
public struct GzipDecoder: ~Copyable {
  /// The first two bytes of every gzip file (RFC 1952, section 2.3.1).
  public static let magic: [UInt8] = [0x1F, 0x8B]

  private let stream: OpaquePointer
  /// Whether a member has begun at all.
  private var hasBegun = false
  /// Whether a member has ended and zeros follow it.
  private var isPadded = false
  private var space: [UInt8]
  /// Whether the input so far is complete: every member that has begun has ended.
  public private(set) var isWhole: Bool

  /// The fault of the bytes.
  public enum Damage: Error, Equatable, Sendable {
    /// They are not gzip, or a check fails.
    case damaged
  }

  /// Nil when there is no memory.
  public init?() {
    guard let stream = czlib_begin() else { return nil }
    self.stream = stream
    space = [UInt8](repeating: 0, count: 65_536)
    isWhole = true
  }

  deinit {
    czlib_end(stream)
  }

  /// Decompresses bytes and appends the result.
  ///
  /// Zeros after the last member are ignored, as gzip(1) does: a tape or a disk fills its blocks with them.
  ///
  /// - Throws: the fault of the bytes; the output before the fault is kept.
  public mutating func decode(
    _ bytes: [UInt8], into output: inout [UInt8]
  ) throws(Damage) {
    var start = 0
    while true {
      if isWhole, hasBegun {
        let member: Int = bytes[start...].firstIndex(where: { $0 != 0 }) ?? bytes.count
        if member > start { isPadded = true }
        start = member
        if start == bytes.count { return }
        // A member never begins with a zero, and no member follows zeros.
        if isPadded { throw .damaged }
      }
      let progress = bytes[start...].withUnsafeBufferPointer { source in
        space.withUnsafeMutableBufferPointer { room in
          czlib_inflate(stream, source.baseAddress, source.count, room.baseAddress, room.count)
        }
      }
      output.append(contentsOf: space[..<progress.given])
      start += progress.taken
      if progress.is_damaged != 0 { throw .damaged }
      if progress.taken > 0 { hasBegun = true }
      if progress.taken > 0 || progress.given > 0 { isWhole = progress.is_whole != 0 }
      let isDone = start == bytes.count && progress.given < space.count
      if isDone || progress.taken == 0 && progress.given == 0 { return }
    }
  }
}
