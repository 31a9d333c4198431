import BinnacleBasics

/// Why a decision is not kept.
typealias StorageFault = Fault<StorageFailure>

/// The kinds of decisions that are not kept.
enum StorageFailure: Equatable, Sendable {
  /// There can be no such record.
  case refused
  /// There is no log at this time.
  case closed
  /// So many decisions wait for the disk that this one was not taken.
  case busy
  /// The log did not commit the changes.
  case notWritten
}
