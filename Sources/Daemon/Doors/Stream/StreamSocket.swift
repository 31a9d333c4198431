import BinnaclePosix

/// A local stream socket from which programs read a door, such as GeoClue (`[network-nmea] nmea-socket=`).
final class StreamSocket: NamedListener {
  private var listener: LocalListener

  init(path: String, access: LocalListener.Access) throws(SystemError) {
    listener = try LocalListener(path: path, access: access, kind: .stream)
  }

  var descriptor: Int32 { listener.descriptor }

  var isListenerNamed: Bool { listener.hasName }

  func renewListener() throws(SystemError) { try listener.renew() }

  /// The next connection; nil if no connection waits.
  func accept() throws(Errno) -> LocalStream? { try listener.acceptStream() }
}
