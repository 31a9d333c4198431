public import BinnaclePosix

extension SystemError {
  /// Whether the daemon may run, and this user may not use its socket.
  public var isAccessDenied: Bool { errno == .accessDenied }

  /// The sentence for a person about a failed connection to the daemon.
  public var absence: String {
    guard isAccessDenied else { return "no daemon: \(description)" }
    return
      "\(description): this user may not enter the directory of the daemon's socket; "
      + "use root or the user of the daemon"
  }
}
