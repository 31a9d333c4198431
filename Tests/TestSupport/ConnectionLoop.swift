public import BinnaclePosix

/// A program that connects to a socket and hangs up, again and again without a pause.
///
/// It ends with its owner, or with the process of the test.
public final class ConnectionLoop {
  private let process: ChildProcess

  /// Starts it.
  ///
  /// - Parameters:
  ///   - path: the socket.
  ///   - isStream: whether the socket carries a stream of bytes.
  ///   - userID: the user of the program, which only root may choose; nil: the own user.
  /// - Throws: the error of the system when the program cannot be started.
  public init(at path: String, isStream: Bool = false, userID: UInt32? = nil) throws(SystemError) {
    let kind = isStream ? "SOCK_STREAM" : "SOCK_SEQPACKET"
    let script = """
      my $place = pack_sockaddr_un($ARGV[0]);
      my $parent = getppid();
      while (getppid() == $parent) {
        socket(my $end, AF_UNIX, \(kind), 0) or next;
        fcntl($end, F_SETFL, O_NONBLOCK);
        connect($end, $place);
        close($end);
      }
      """
    let words = ["perl", "-MSocket", "-MFcntl", "-e", script, path]
    let identity = userID.map { ["setpriv", "--reuid=\($0)", "--regid=\($0)", "--clear-groups"] }
    let command = (identity ?? []) + words
    process = try ChildProcess(command[0], Array(command.dropFirst()))
  }

  /// Whether the program still runs.
  public func isRunning() throws(Errno) -> Bool { try process.wait(limit: .zero) == nil }
}
