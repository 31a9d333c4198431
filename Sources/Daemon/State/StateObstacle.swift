import BinnaclePosix
import LocationEngine

/// Why there is no log of state.
struct StateObstacle: Error, Equatable {
  let fault: StateFault
  /// Whether there is a state that cannot be read: it may hold a decision that took something away.
  let hidesState: Bool

  init(_ text: String, isPassing: Bool, hidesState: Bool = false) {
    fault = StateFault(isPassing ? .passing : .lasting, text)
    self.hidesState = hidesState
  }

  init(_ path: String, _ error: Errno) {
    let advice =
      error == .accessDenied || error == .notPermitted
      ? "; the file must belong to the daemon's user" : ""
    // Without the right to look, nobody knows that there is no state.
    let isAbsent = [.noSuchFile, .notADirectory, .noSuchDeviceOrAddress].contains(error)
    self.init("\(path): \(error)\(advice)", isPassing: true, hidesState: !isAbsent)
  }

  /// What is in the place when it is nothing that a log can live in; nil when it may be a log all the same.
  static func oddity(_ error: Errno) -> String? {
    switch error {
    case .isADirectory: "a directory"
    case .tooManyLinks: "a symbolic link"
    case .invalidArgument, .noSuchDeviceOrAddress: "neither a file nor a partition"
    default: nil
    }
  }
}
