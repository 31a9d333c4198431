public import StateLog

/// A disk with a cache, sectors of 512 bytes, and a plug that can be pulled at any call.
///
/// When the power goes, each sector that was written and not flushed becomes what the choices say: what it was, any of
/// the versions written since, or garbage. That is every subset of the writes, every order and every tear between sectors.
public struct SimulatedDisk: BlockFile {
  public static let sectorSize = 512

  /// How a call fails.
  public enum Damage: Int, CaseIterable, Sendable {
    /// Nothing of it happened.
    case nothing
    /// The first half of it happened.
    case half
    /// All of it happened, and the call failed all the same.
    case whole
  }

  /// A call that is going to fail.
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

  /// What happens next.
  public enum Plan: Sendable {
    case nothing
    case fail(Failure)
    /// The power goes during a call; a write may have reached the disk, a flush has not returned.
    case cut(call: Int)
  }

  private struct Write {
    var sector: Int
    var bytes: [UInt8]
  }

  public private(set) var byteCount: Int
  public private(set) var isOff = false
  /// Whether a call has failed since the last ``expect(_:)``.
  public private(set) var hasFailed = false
  /// Calls since the last ``expect(_:)``.
  public private(set) var callCount = 0
  public private(set) var bytesWritten = 0
  public private(set) var flushCount = 0
  /// Which bytes were written since the last ``expect(_:)``.
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

  /// What is on the disk, whatever the cache holds.
  public var durableBytes: [UInt8] { durable }

  /// Plans what goes wrong, counting calls from now.
  public mutating func expect(_ plan: Plan) {
    self.plan = plan
    callCount = 0
    hasFailed = false
    written = []
  }

  // MARK: What a log calls

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
    // After a failed flush the kernel takes what it could not write for written, and forgets it.
    try begin { disk, damage in
      guard let damage else { return }
      disk.settle(damage)
    }
    settle(.whole)
    flushCount += 1
  }

  /// Counts a call and lets it fail, or the power go, when that is planned.
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

  /// A write that is cut off by the power may have reached the disk like any other that was not flushed.
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

  // MARK: What happens to it

  /// The power goes, if it has not, and comes back.
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

  /// The program ends and another one opens the file: what is not yet on the disk is still in the cache, but what the
  /// kernel takes for written is read from the disk.
  public mutating func reopen() {
    cache = durable
    for write in pending {
      let start = write.sector * SimulatedDisk.sectorSize
      cache.replaceSubrange(start..<start + SimulatedDisk.sectorSize, with: write.bytes)
    }
  }
}
