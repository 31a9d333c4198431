/// Why a transfer failed.
public struct I2CError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// Nobody answered at the address, or a byte was not taken.
    case noAcknowledge = 0
    /// The bus was held for too long: a stuck line, or a chip that stretches the clock too far.
    case timeOut = 1
    /// Another master came in between.
    case arbitrationLost = 2
    /// A driver of the kernel holds the address.
    case busy = 3
    /// The bus went away.
    case gone = 4
    /// There is no such bus.
    case missing = 5
    case notPermitted = 6
    /// The adapter cannot do such a transfer.
    case refused = 7
    case failed = 8
  }

  public let kind: Kind
  /// What happened to what, and what to do about it where that is known.
  public let description: String
  /// The kernel's driver that holds the address, when that is the reason and it is known.
  public let driver: String?

  public init(_ kind: Kind, _ description: String, driver: String? = nil) {
    self.kind = kind
    self.description = description
    self.driver = driver
  }

  /// Whether nothing went over the bus and the same transfer may be tried again at once.
  public var isWorthRepeating: Bool {
    switch kind {
    case .noAcknowledge, .arbitrationLost: true
    case .timeOut, .busy, .gone, .missing, .notPermitted, .refused, .failed: false
    }
  }
}
