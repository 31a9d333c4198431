public import BinnacleBasics

/// Why a log cannot be opened, and whether the fault may end by itself.
public typealias StateFault = Fault<StateFailure>

/// The kinds of faults at the place of a log.
public enum StateFailure: UInt8, CaseIterable, Codable, Sendable {
  /// The fault may end by itself, so the log is opened again later.
  case passing = 0
  /// Only an operator can remove the fault.
  case lasting = 1
}
