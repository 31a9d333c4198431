import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Glibc

extension LocalSocket {
  /// The largest send buffer that Linux allows without privilege.
  private static let lastWordBufferBytes: Int32 = 212_992

  /// Sends the reason for the end of the connection.
  func sendRefusal(_ reason: ServerMessage.RefusalKind, _ text: String) {
    let refusal = ServerMessage.Refusal(reason, text)
    let packet = ServerMessage.refused(refusal, isFinal: true).encoded()
    guard (try? send(packet)) == false else { return }
    // The socket buffer may be full, so it is enlarged before the reason is sent.
    try? setSendBuffer(bytes: LocalSocket.lastWordBufferBytes)
    _ = try? send(packet)
  }

  /// Ends the connection so that the peer can still read the last message.
  ///
  /// Closing a local socket with unread packets discards the packets that its peer has not read yet. Therefore the
  /// daemon first stops the reception of further packets and reads the packets that have arrived.
  func hangUp() {
    shutdown(descriptor, Int32(SHUT_RD))
    var buffer: [UInt8] = [0]
    reading: while let received = try? receive(into: &buffer) {
      switch received {
      case .packet, .tooLong: continue
      case .nothing, .ended: break reading
      }
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }
}
