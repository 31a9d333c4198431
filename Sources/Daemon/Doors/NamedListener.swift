import BinnaclePosix

/// A socket that programs find by its path.
protocol NamedListener: AnyObject {
  /// Whether the socket's path still leads to it.
  var isListenerNamed: Bool { get }

  /// Listens anew at the socket's path.
  func renewListener() throws(SystemError)
}
