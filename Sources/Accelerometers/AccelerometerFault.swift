public import BinnacleBasics
public import I2C

/// Why there are no samples, or none to be trusted.
public typealias AccelerometerFault = Fault<AccelerometerFailure>

/// The kinds of failures of an accelerometer.
public enum AccelerometerFailure: UInt8, CaseIterable, Codable, Sendable {
  /// No chip answers at any address.
  case notFound = 0
  /// Something answers that is no chip of ours.
  case unknownChip = 1
  /// A driver of the kernel holds the address.
  case heldByKernel = 2
  /// The chip does not answer any more.
  case vanished = 3
  /// The bus is stuck, or fails in another way.
  case busFailed = 4
  /// There is no such bus, or it went away.
  case busMissing = 5
  case notPermitted = 6
  /// A register does not keep what is written.
  case setupRefused = 7
  /// The self-test failed; samples come all the same.
  case selfTestFailed = 8
  /// The chip answers but makes no samples.
  case silent = 9
  /// An axis has stopped changing; samples come all the same.
  case frozen = 10
  /// The interrupt line does not move when it should; the chip is polled.
  case lineSilent = 11

  /// For programs.
  public var word: String {
    switch self {
    case .notFound: "not-found"
    case .unknownChip: "unknown-chip"
    case .heldByKernel: "held-by-kernel"
    case .vanished: "vanished"
    case .busFailed: "bus-failed"
    case .busMissing: "bus-missing"
    case .notPermitted: "not-permitted"
    case .setupRefused: "setup-refused"
    case .selfTestFailed: "self-test-failed"
    case .silent: "silent"
    case .frozen: "frozen"
    case .lineSilent: "line-silent"
    }
  }

  /// Whether samples go on although something is wrong.
  public var leavesSamples: Bool {
    switch self {
    case .selfTestFailed, .frozen, .lineSilent: true
    case .notFound, .unknownChip, .heldByKernel, .vanished, .busFailed, .busMissing,
      .notPermitted, .setupRefused, .silent:
      false
    }
  }
}

extension Fault where Kind == AccelerometerFailure {
  /// The meaning of a failed transfer for the chip.
  public init(_ fault: I2CFault) {
    let kind: AccelerometerFailure =
      switch fault.kind {
      case .noAcknowledge: .vanished
      case .timeOut, .arbitrationLost, .refused, .failed: .busFailed
      case .busy: .heldByKernel
      case .gone, .missing: .busMissing
      case .notPermitted: .notPermitted
      }
    self.init(kind, fault.text, driver: fault.driver)
  }
}
