public import BinnaclePosix

extension SystemError {
  /// Whether the daemon may run, and this user may not use its socket.
  public var isAccessDenied: Bool { errno == .accessDenied }

  /// Whether the daemon runs, and its queue of connections has no room.
  public var isQueueFull: Bool { errno == .wouldBlock }

  /// The sentence for a person about a failed connection to the daemon.
  public var absence: String {
    if isQueueFull { return description }
    guard isAccessDenied else { return "no daemon: \(description)" }
    return
      "\(description): this user may not enter the directory of the daemon's socket; "
      + "use root or the user of the daemon"
  }
}
