/// A read of a counted number of bytes: the chip's level is read first, then as many bytes as the level stands for.
///
/// The second read depends on the first. One order holds both, so that the sender of the order is woken once. Examples: a
/// FIFO of samples, a receiver's bytes.
public struct I2CCountedRead: Equatable, Sendable {
  /// Reads the level: one read of 1 to 4 bytes.
  public let level: I2CTransfer
  public let isBigEndian: Bool
  /// The bits of the level that count.
  public let mask: UInt32
  /// How many bytes one unit of the level stands for.
  public let unitBytes: Int
  /// Only whole multiples of this are read: the size of a sample.
  public let wholeBytes: Int
  public let bytesMax: Int
  /// Where the bytes are read from.
  public let register: UInt8
  public let manner: Manner
  /// The chip makes samples at a steady rate, and reading bytes beyond the last one is harmless.
  ///
  /// A periodic order may then read the samples that certainly exist without reading the level first (`SteadyFill`). It answers with an empty level,
  /// or with more bytes than the level stands for.
  public let isSteady: Bool

  public enum Manner: Equatable, Sendable {
    /// In one transfer: the register stays or wraps by itself.
    case burst
    /// Every whole by a read of its own; joined by repeated starts where the adapter can.
    case each
  }

  /// The most bytes to read at once lie between `wholeBytes` and `I2CTransfer.partBytesMax`.
  public init(
    level: I2CTransfer, isBigEndian: Bool, mask: UInt32, unitBytes: Int, wholeBytes: Int,
    bytesMax: Int, register: UInt8, manner: Manner = .burst, isSteady: Bool = false
  ) {
    precondition(
      level.readCounts.count == 1 && level.readCounts[0] <= 4, "a level is one read of a number")
    precondition(unitBytes > 0 && wholeBytes > 0, "nothing is counted in nothing")
    precondition(
      (wholeBytes...I2CTransfer.partBytesMax).contains(bytesMax), "a count beyond the bus")
    self.level = level
    self.isBigEndian = isBigEndian
    self.mask = mask
    self.unitBytes = unitBytes
    self.wholeBytes = wholeBytes
    self.bytesMax = bytesMax
    self.register = register
    self.manner = manner
    self.isSteady = isSteady
  }

  /// How many bytes are to be read after this level.
  public func byteCount(level bytes: [UInt8]) -> Int {
    var number: UInt32 = 0
    for byte in isBigEndian ? bytes : bytes.reversed() { number = number << 8 | UInt32(byte) }
    let wanted = Int(number & mask).multipliedReportingOverflow(by: unitBytes)
    let count = wanted.overflow ? bytesMax : min(wanted.partialValue, bytesMax)
    return count - count % wholeBytes
  }

  /// How many wholes it reads at most.
  public var capacity: Int { bytesMax / wholeBytes }

  /// The transfers that read the level and at once so many bytes; the first answer is the level.
  public func transfersWithLevel(byteCount: Int) -> [I2CTransfer] {
    let rest = transfers(
      byteCount: byteCount, isJoined: true, partsTaken: level.parts.count)
    guard let first = rest.first else { return [level] }
    return [I2CTransfer(address: level.address, parts: level.parts + first.parts)]
      + rest.dropFirst()
  }

  /// The transfers that read so many bytes.
  ///
  /// - Parameters:
  ///   - byteCount: how many; whole ones are read.
  ///   - isJoined: whether reads of their own are put into one transfer.
  /// - Returns: in the order in which they are to be made; none for no bytes.
  public func transfers(byteCount: Int, isJoined: Bool) -> [I2CTransfer] {
    transfers(byteCount: byteCount, isJoined: isJoined, partsTaken: 0)
  }

  /// The first transfer leaves room for so many other parts.
  private func transfers(byteCount: Int, isJoined: Bool, partsTaken: Int) -> [I2CTransfer] {
    if byteCount == 0 { return [] }
    switch manner {
    case .burst: return [.read(byteCount, from: register, of: level.address)]
    case .each:
      let one: [I2CTransfer.Part] = [.write([register]), .read(wholeBytes)]
      var left = byteCount / wholeBytes
      var list: [I2CTransfer] = []
      while left > 0 {
        let room = I2CTransfer.partsMax - (list.isEmpty ? partsTaken : 0)
        let count = min(left, isJoined ? room / one.count : 1)
        let parts = Array(repeatElement(one, count: count).joined())
        list.append(I2CTransfer(address: level.address, parts: parts))
        left -= count
      }
      return list
    }
  }
}
