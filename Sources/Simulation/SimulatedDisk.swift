public import StateLog

/// A disk with a cache and sectors of 512 bytes, whose power can be cut at any call.
///
/// At a power cut, the choices decide the content of each sector that was written and not flushed: the old content, any
/// of the versions written since, or garbage. The choices cover every subset of the writes, every order, and every tear
/// between sectors.
public struct SimulatedDisk: BlockFile {
  public static let sectorSize = 512

  /// The part of a failed call that took effect.
  public enum Damage: Int, CaseIterable, Sendable {
    /// No part took effect.
    case nothing
    /// The first half took effect.
    case half
    /// The whole call took effect, and failed nevertheless.
    case whole
  }

  /// A planned failure of a call.
  public struct Failure: Sendable {
    /// The number of the call since the last ``expect(_:)``, from 0.
    public var call: Int
    public var fault: BlockFault
    public var damage: Damage

    public init(call: Int, fault: BlockFault, damage: Damage) {
      self.call = call
      self.fault = fault
      self.damage = damage
    }
  }

  /// The planned fault.
  public enum Plan: Sendable {
    case nothing
    case fail(Failure)
    /// The power fails during a call; a write may have reached the disk, a flush has not returned.
    case cut(call: Int)
  }

  private struct Write: Hashable {
    var sector: Int
    var bytes: [UInt8]
  }

  public private(set) var byteCount: Int
  public private(set) var isOff = false
  /// Whether a call has failed since the last ``expect(_:)``.
  public private(set) var hasFailed = false
  /// The number of calls since the last ``expect(_:)``.
  public private(set) var callCount = 0
  public private(set) var bytesWritten = 0
  public private(set) var flushCount = 0
  /// The ranges that were written since the last ``expect(_:)``.
  public private(set) var written: [Range<Int>] = []
  private var plan = Plan.nothing
  private var durable: [UInt8]
  private var cache: [UInt8]
  private var pending: [Write] = []

  /// - Parameter byteCount: a multiple of 512.
  public init(byteCount: Int) {
    self.init(holding: [UInt8](repeating: 0, count: byteCount))
  }

  public init(holding bytes: [UInt8]) {
    byteCount = bytes.count
    durable = bytes
    cache = bytes
  }

  /// The bytes on the disk, without the cache.
  public var durableBytes: [UInt8] { durable }

  /// Adds the bytes on the disk and the writes that are not flushed, which decide the states that a power cut may leave.
  public func hashContent(into hasher: inout Hasher) {
    durable.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(pending)
  }

  /// Plans a fault; the calls are counted from now.
  public mutating func expect(_ plan: Plan) {
    self.plan = plan
    callCount = 0
    hasFailed = false
    written = []
  }

  // MARK: Calls of a log

  public mutating func read(_ count: Int, at offset: Int) throws(BlockFault) -> [UInt8] {
    try begin { _, _ in }
    guard offset >= 0, count >= 0, offset + count <= byteCount else { throw .inputOutput }
    return Array(cache[offset..<offset + count])
  }

  public mutating func write(_ bytes: [UInt8], at offset: Int) throws(BlockFault) {
    guard offset >= 0, offset + bytes.count <= byteCount else { throw .noSpace }
    try begin { disk, damage in disk.put(bytes, at: offset, damage: damage) }
    put(bytes, at: offset, damage: .whole)
  }

  public mutating func flush() throws(BlockFault) {
    // After a failed flush the kernel treats the unwritten data as written, and forgets it.
    try begin { disk, damage in
      guard let damage else { return }
      disk.settle(damage)
    }
    settle(.whole)
    flushCount += 1
  }

  /// Counts a call, and makes it fail or cuts the power when that is planned.
  private mutating func begin(
    _ fail: (inout SimulatedDisk, Damage?) -> Void
  ) throws(BlockFault) {
    guard !isOff else { throw .inputOutput }
    defer { callCount += 1 }
    switch plan {
    case .fail(let failure) where failure.call == callCount:
      hasFailed = true
      fail(&self, failure.damage)
      throw failure.fault
    case .cut(let call) where call == callCount:
      fail(&self, nil)
      isOff = true
      throw .inputOutput
    case .nothing, .fail, .cut: return
    }
  }

  /// Puts bytes into the cache; a write during a power cut may have reached the disk like any unflushed write.
  private mutating func put(_ bytes: [UInt8], at offset: Int, damage: Damage?) {
    let size = SimulatedDisk.sectorSize
    precondition(offset % size == 0 && bytes.count % size == 0, "only whole sectors are written")
    written.append(offset..<offset + bytes.count)
    let part: Int
    switch damage {
    case .nothing: part = 0
    case .half: part = bytes.count / size / 2 * size
    case .whole, nil: part = bytes.count
    }
    bytesWritten += part
    for start in stride(from: 0, to: part, by: size) {
      let sector = Array(bytes[start..<start + size])
      pending.append(Write(sector: (offset + start) / size, bytes: sector))
      cache.replaceSubrange(offset + start..<offset + start + size, with: sector)
    }
  }

  private mutating func settle(_ damage: Damage) {
    let count: Int
    switch damage {
    case .nothing: count = 0
    case .half: count = pending.count / 2
    case .whole: count = pending.count
    }
    for write in pending.prefix(count) { store(write.bytes, in: write.sector) }
    pending = []
  }

  private mutating func store(_ bytes: [UInt8], in sector: Int) {
    let start = sector * SimulatedDisk.sectorSize
    durable.replaceSubrange(start..<start + SimulatedDisk.sectorSize, with: bytes)
  }

  // MARK: Faults

  /// Cuts the power, if it is on, and restores it.
  public mutating func cutPower(_ choices: inout Choices) {
    var sectors: [(number: Int, versions: [[UInt8]])] = []
    for write in pending {
      if let index = sectors.firstIndex(where: { $0.number == write.sector }) {
        sectors[index].versions.append(write.bytes)
      } else {
        sectors.append((write.sector, [write.bytes]))
      }
    }
    for (number, versions) in sectors {
      let chosen = choices.pick(versions.count + 2)
      if chosen == 0 { continue }
      let garbage = chosen > versions.count
      store(
        garbage ? choices.bytes(SimulatedDisk.sectorSize) : versions[chosen - 1], in: number)
    }
    pending = []
    cache = durable
    isOff = false
    expect(.nothing)
  }

  /// Ends the program, and opens the file for the next program.
  ///
  /// Data that is not yet on the disk is still in the cache. Data that the kernel treats as written is read from the
  /// disk.
  public mutating func reopen() {
    cache = durable
    for write in pending {
      let start = write.sector * SimulatedDisk.sectorSize
      cache.replaceSubrange(start..<start + SimulatedDisk.sectorSize, with: write.bytes)
    }
  }
}

extension SimulatedDisk: CustomDebugStringConvertible {
  /// The size alone: the text of each byte would be megabytes in the message of a failed test.
  public var debugDescription: String { "disk of \(byteCount) bytes" }
}
