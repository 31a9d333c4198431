/// A message of the protocol, typed where the daemon has a use for it.
public enum Message: Equatable, Sendable {
  /// A UBX message without a type of its own.
  case other(messageClass: UInt8, id: UInt8, payloadLength: Int)
}
