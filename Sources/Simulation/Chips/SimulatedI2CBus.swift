public import BinnacleBasics
public import I2C

/// A bus with chips, and with the faults of a bus.
public struct SimulatedI2CBus: Sendable {
  public var accelerometers: [any SimulatedAccelerometer]
  public var others: [any SimulatedI2CDevice]
  /// The addresses whose chip is not on the bus at the moment.
  public private(set) var unplugged: [UInt8] = []
  /// Whether a fault holds the bus, so that every transfer fails.
  public var isStuck = false
  /// Whether the adapter accepts only one read in a transfer, as the adapter of Raspberry Pi models up to 4.
  public var takesOneReadOnly = false
  private var failures: [Failure] = []
  private var breakCount: Int?
  private var glitchChance = 0.0
  private var random: Random
  /// The number of transfers so far, failed ones included.
  public private(set) var transferCount = 0

  private struct Failure: Equatable, Sendable {
    let address: UInt8?
    let errno: UInt16
    var count: Int
    /// The number of successful transfers before the failures.
    var skipCount: Int
  }

  /// The outcome of a transfer.
  public enum Result: Equatable, Sendable {
    case answers([[UInt8]])
    /// An error number of Linux, as the driver of an adapter returns it.
    case failure(errno: UInt16)
  }

  /// Numbers of `<errno.h>` on Linux.
  public static let noAcknowledge: UInt16 = 121
  public static let timedOut: UInt16 = 110
  public static let notSupported: UInt16 = 95

  public init(
    accelerometers: [any SimulatedAccelerometer] = [], others: [any SimulatedI2CDevice] = [],
    seed: UInt64 = 1
  ) {
    self.accelerometers = accelerometers
    self.others = others
    random = Random(seed: seed)
  }

  // MARK: Faults

  /// Makes the next transfers fail: those to one address, or all; some may succeed first.
  public mutating func fail(
    _ count: Int, errno: UInt16, address: UInt8? = nil, after skipCount: Int = 0
  ) {
    failures.append(
      Failure(address: address, errno: errno, count: count, skipCount: skipCount))
  }

  /// Makes the next longer read break off after so many bytes, which the chip has already sent.
  public mutating func breakOff(after count: Int) { breakCount = count }

  /// Makes each read byte wrong with this probability.
  public mutating func glitch(chance: Double) { glitchChance = chance }

  /// Takes a chip off the bus and removes its power.
  public mutating func unplug(_ address: UInt8) {
    if !unplugged.contains(address) { unplugged.append(address) }
  }

  /// Plugs a chip in again; the chip starts in its factory state.
  public mutating func plug(_ address: UInt8, at now: Instant) {
    unplugged.removeAll { $0 == address }
    for index in accelerometers.indices where accelerometers[index].address == address {
      accelerometers[index].switchOn(at: now)
    }
  }

  // MARK: Transfers

  /// Advances the time of the chips, so that their interrupt outputs are right.
  public mutating func advance(to now: Instant) {
    for index in accelerometers.indices { accelerometers[index].advance(to: now) }
  }

  /// Signals an edge at the pin EXTINT0 of the receivers on the bus.
  public mutating func interruptEdgeCame(at now: Instant) {
    for index in others.indices {
      guard var receiver = others[index] as? SimulatedDDC else { continue }
      receiver.interruptEdgeCame(at: now)
      others[index] = receiver
    }
  }

  public mutating func carryOut(_ transfer: I2CTransfer, at now: Instant) -> Result {
    transferCount += 1
    if isStuck { return .failure(errno: SimulatedI2CBus.timedOut) }
    if let errno = failure(of: transfer.address) { return .failure(errno: errno) }
    let readPlaces = transfer.parts.indices.filter { transfer.parts[$0].isRead }
    if takesOneReadOnly, readPlaces.dropLast().count > 0 {
      return .failure(errno: SimulatedI2CBus.notSupported)
    }
    guard !unplugged.contains(transfer.address) else {
      return .failure(errno: SimulatedI2CBus.noAcknowledge)
    }
    for index in accelerometers.indices
    where accelerometers[index].address == transfer.address {
      var chip = accelerometers[index]
      defer { accelerometers[index] = chip }
      return exchange(transfer, with: &chip, at: now)
    }
    for index in others.indices where others[index].address == transfer.address {
      var device = others[index]
      defer { others[index] = device }
      return exchange(transfer, with: &device, at: now)
    }
    return .failure(errno: SimulatedI2CBus.noAcknowledge)
  }

  private mutating func failure(of address: UInt8) -> UInt16? {
    let index = failures.firstIndex { $0.address == nil || $0.address == address }
    guard let index else { return nil }
    guard failures[index].skipCount == 0 else {
      failures[index].skipCount -= 1
      return nil
    }
    failures[index].count -= 1
    defer { if failures[index].count <= 0 { failures.remove(at: index) } }
    return failures[index].errno
  }

  private mutating func exchange(
    _ transfer: I2CTransfer, with device: inout some SimulatedI2CDevice, at now: Instant
  ) -> Result {
    guard device.acknowledgesAddress(at: now) else {
      return .failure(errno: SimulatedI2CBus.noAcknowledge)
    }
    var answers: [[UInt8]] = []
    for part in transfer.parts {
      switch part {
      case .write(let bytes):
        guard device.write(bytes, at: now) else {
          return .failure(errno: SimulatedI2CBus.noAcknowledge)
        }
      case .read(let count):
        if let broken = breakCount, broken < count {
          breakCount = nil
          _ = device.read(broken, at: now)
          return .failure(errno: SimulatedI2CBus.timedOut)
        }
        answers.append(disturbed(device.read(count, at: now)))
      }
    }
    return .answers(answers)
  }

  private mutating func disturbed(_ bytes: [UInt8]) -> [UInt8] {
    guard glitchChance > 0 else { return bytes }
    return bytes.map { byte in
      random.chance(glitchChance) ? byte ^ UInt8(truncatingIfNeeded: random.next() | 1) : byte
    }
  }
}

extension I2CTransfer.Part {
  fileprivate var isRead: Bool {
    switch self {
    case .read: true
    case .write: false
    }
  }
}
