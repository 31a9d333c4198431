import BinnacleBasics
public import I2C

/// The faults of a bus between a kernel's adapter and the chips, transfer by transfer.
public struct BusMishap: Equatable, Sendable {
  /// The fault of a transfer.
  public enum Kind: String, CaseIterable, Sendable {
    /// No chip acknowledges; nothing is read or written.
    case nak
    /// Another master wins the arbitration; nothing is read or written.
    case lost
    /// The chip stretches the clock longer than the adapter tolerates.
    ///
    /// The chip carries out the transfer, and the outcome is lost.
    case stretch
    /// A bit of each answer is wrong.
    case glitch
  }

  /// The treatment of a transfer.
  public enum Course: Equatable, Sendable {
    case carryOut
    case fail(errno: UInt16)
    /// The chip carries out the transfer, and the adapter gets no answer.
    case carryOutUnanswered
    case carryOutWithGlitch
    /// The transfer does not reach the chip, and the adapter gets no answer.
    case leaveUnanswered
  }

  /// Whether a fault holds the bus.
  public var isStuck = false
  private var due: [Due] = []
  private var chances: [Chance] = []
  private var random: Random
  /// The number of failed transfers.
  public private(set) var count = 0

  private struct Due: Equatable, Sendable {
    var kind: Kind
    var address: UInt8?
    var count: Int
  }

  private struct Chance: Equatable, Sendable {
    var kind: Kind
    var share: Double
  }

  /// The error that drivers of the Raspberry Pi's adapter return (`i2c-bcm2835.c`).
  ///
  /// `-EAGAIN` stands for a lost arbitration (`Documentation/i2c/fault-codes.rst`).
  private static let noAcknowledge: UInt16 = 121
  private static let arbitrationLost: UInt16 = 11

  public init(seed: UInt64) {
    random = Random(seed: seed)
  }

  /// Makes the next transfers fail: those to one address, or all.
  public mutating func next(_ count: Int, _ kind: Kind, address: UInt8? = nil) {
    due.append(Due(kind: kind, address: address, count: count))
  }

  /// Makes each transfer fail with this probability from now on; 0 ends the fault.
  public mutating func always(_ kind: Kind, share: Double) {
    chances.removeAll { $0.kind == kind }
    if share > 0 { chances.append(Chance(kind: kind, share: share)) }
  }

  /// Decides the treatment of the next transfer.
  public mutating func course(of transfer: I2CTransfer) -> Course {
    if isStuck {
      count += 1
      return .leaveUnanswered
    }
    guard let kind = kind(for: transfer.address) else { return .carryOut }
    count += 1
    switch kind {
    case .nak: return .fail(errno: BusMishap.noAcknowledge)
    case .lost: return .fail(errno: BusMishap.arbitrationLost)
    case .stretch: return .carryOutUnanswered
    case .glitch: return .carryOutWithGlitch
    }
  }

  private mutating func kind(for address: UInt8) -> Kind? {
    if let index = due.firstIndex(where: { $0.address == nil || $0.address == address }) {
      let kind = due[index].kind
      due[index].count -= 1
      if due[index].count <= 0 { due.remove(at: index) }
      return kind
    }
    for chance in chances where random.chance(chance.share) { return chance.kind }
    return nil
  }
}
