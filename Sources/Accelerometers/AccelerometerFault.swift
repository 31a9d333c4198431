public import I2C

/// Why there are no samples, or none to be trusted.
public struct AccelerometerFault: Error, Equatable, Codable, Sendable, CustomStringConvertible {
  public enum Kind: UInt8, CaseIterable, Codable, Sendable {
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
  }

  public let kind: Kind
  /// What happened to what, and what to do about it where that is known.
  public let description: String
  /// Where the chip is, and the kernel's driver for it, when that is the reason.
  public let driver: String?

  public init(_ kind: Kind, _ description: String, driver: String? = nil) {
    self.kind = kind
    self.description = description
    self.driver = driver
  }

  /// What a failed transfer means for the chip.
  public init(_ error: I2CError) {
    let kind: Kind =
      switch error.kind {
      case .noAcknowledge: .vanished
      case .timeOut, .arbitrationLost, .refused, .failed: .busFailed
      case .busy: .heldByKernel
      case .gone, .missing: .busMissing
      case .notPermitted: .notPermitted
      }
    self.init(kind, error.description, driver: error.driver)
  }

  /// Whether samples go on although something is wrong.
  public var leavesSamples: Bool {
    switch kind {
    case .selfTestFailed, .frozen, .lineSilent: true
    case .notFound, .unknownChip, .heldByKernel, .vanished, .busFailed, .busMissing,
      .notPermitted, .setupRefused, .silent:
      false
    }
  }
}
