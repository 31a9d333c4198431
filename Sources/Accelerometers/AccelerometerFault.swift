public import BinnacleBasics
public import I2C

/// The reason why there are no samples, or no reliable samples.
public typealias AccelerometerFault = Fault<AccelerometerFailure>

/// The kinds of failures of an accelerometer.
public enum AccelerometerFailure: UInt8, CaseIterable, Codable, Sendable {
  /// No chip answers at any address.
  case notFound = 0
  /// An unknown chip answers.
  case unknownChip = 1
  /// A kernel driver has claimed the address.
  case heldByKernel = 2
  /// The chip no longer answers.
  case vanished = 3
  /// The bus is stuck, or fails in another way.
  case busFailed = 4
  /// There is no such bus, or the bus was removed.
  case busMissing = 5
  case notPermitted = 6
  /// A register does not keep its written value.
  case setupRefused = 7
  /// The self-test failed; samples continue.
  case selfTestFailed = 8
  /// The chip answers but produces no samples.
  case silent = 9
  /// An axis has stopped changing; samples continue.
  case frozen = 10
  /// The interrupt line does not signal as expected, so the chip is polled.
  case lineSilent = 11

  /// The word for programs.
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

  /// Whether samples continue despite the fault.
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
  /// The fault of the chip for a failed transfer.
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
