public import BinnacleBasics

/// Why a transfer failed, and the kernel's driver that holds the address where that is the reason.
public typealias I2CFault = Fault<I2CFailure>

/// The kinds of failed transfers.
public enum I2CFailure: UInt8, CaseIterable, Sendable {
  /// No chip answered at the address, or a byte was not taken.
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

  /// Whether nothing went over the bus and the same transfer may be tried again at once.
  public var isWorthRepeating: Bool {
    switch self {
    case .noAcknowledge, .arbitrationLost: true
    case .timeOut, .busy, .gone, .missing, .notPermitted, .refused, .failed: false
    }
  }
}
