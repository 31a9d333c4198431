public import BinnacleBasics

/// Why a log cannot be opened, and what mends that.
public typealias StateFault = Fault<StateFailure>

/// The kinds of faults of a log's place.
public enum StateFailure: UInt8, CaseIterable, Codable, Sendable {
  /// The fault may end without a person's doing, so the log is opened again later.
  case passing = 0
  /// Only a person can mend the fault.
  case lasting = 1
}
