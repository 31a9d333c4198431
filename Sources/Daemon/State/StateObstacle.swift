import BinnaclePosix
import LocationEngine

/// The reason why there is no state log.
struct StateObstacle: Error, Equatable {
  let fault: StateFault
  /// Whether an unreadable state may exist: it may contain a decision that revoked a permission.
  let hidesState: Bool

  init(_ text: String, isPassing: Bool, hidesState: Bool = false) {
    fault = StateFault(isPassing ? .passing : .lasting, text)
    self.hidesState = hidesState
  }

  init(_ path: String, _ error: Errno) {
    let advice =
      error == .accessDenied || error == .notPermitted
      ? "; the file must belong to the daemon's user" : ""
    // Without permission to look, the absence of a state is not proven.
    let isAbsent = [.noSuchFile, .notADirectory, .noSuchDeviceOrAddress].contains(error)
    self.init("\(path): \(error)\(advice)", isPassing: true, hidesState: !isAbsent)
  }

  /// The reason why the file cannot be a log; nil if it may be one.
  static func oddity(_ error: Errno) -> String? {
    switch error {
    case .isADirectory: "a directory"
    case .tooManyLinks: "a symbolic link"
    case .invalidArgument, .noSuchDeviceOrAddress: "neither a file nor a partition"
    default: nil
    }
  }
}
