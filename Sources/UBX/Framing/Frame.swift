/// The kind of a frame and its place in the stream.
///
/// The bytes of the frame stay in the parser. They are valid until the next call of `next()` or `append`.
public struct Frame: Equatable, Sendable {
  /// The protocol, and the identity of the message in the protocol.
  public enum Kind: Equatable, Sendable {
    case ubx(messageClass: UInt8, id: UInt8)
    /// An NMEA sentence; `FrameParser.address(of:)` returns its address field.
    case nmea
    /// The message number is the first twelve bits of the RTCM 3 payload; 0 when the payload is shorter.
    case rtcm(messageNumber: UInt16)
  }

  public let kind: Kind
  /// The number of bytes in the stream before the frame.
  public let offset: Int
  /// The length of the whole frame in bytes, with its sync bytes and its checksum.
  public let length: Int
}
