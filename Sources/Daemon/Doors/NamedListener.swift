import BinnaclePosix

/// A listening socket with a path.
protocol NamedListener: AnyObject {
  /// Whether the socket's path still leads to the socket.
  var isListenerNamed: Bool { get }

  /// Creates the socket at its path again.
  func renewListener() throws(SystemError)
}
