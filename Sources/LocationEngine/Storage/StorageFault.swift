import BinnacleBasics

/// Why a decision is not kept.
typealias StorageFault = Fault<StorageFailure>

/// The reasons why a decision is not kept.
enum StorageFailure: Equatable, Sendable {
  /// The record is not possible.
  case refused
  /// There is no log at this time.
  case closed
  /// Too many decisions wait for the disk, so this decision is refused.
  case busy
  /// The disk has not answered in time; the decision is written later.
  case late
  /// The log did not commit the changes.
  case notWritten
}

extension StorageFault {
  /// The answer to a decision that has its effect without its record.
  var inWordsDone: String {
    kind == .late ? "done, but not kept yet: \(self)" : "done for now, but it is not kept: \(self)"
  }
}
