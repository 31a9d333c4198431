import Posix

/// Why there is no log of state.
struct StateObstacle: Error, Equatable {
  /// What it is, and what mends it.
  let text: String
  /// Whether it may end without a person's doing.
  let isPassing: Bool

  init(_ text: String, isPassing: Bool) {
    self.text = text
    self.isPassing = isPassing
  }

  init(_ path: String, _ error: Errno) {
    let advice =
      error == .accessDenied || error == .notPermitted
      ? "; the file must belong to the daemon's user" : ""
    self.init("\(path): \(error)\(advice)", isPassing: true)
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
