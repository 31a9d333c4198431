/// Where a frame lies in the stream and what it is; its bytes are the parser's until the next call of
/// `next()` or `append`.
public struct Frame: Equatable, Sendable {
  /// The protocol and what names a message within it.
  public enum Kind: Equatable, Sendable {
    case ubx(messageClass: UInt8, id: UInt8)
    /// `FrameParser.address(of:)` has the sentence's address field.
    case nmea
    /// The message number of RTCM 3 is its payload's first twelve bits; 0 when the payload is shorter.
    case rtcm(messageNumber: UInt16)
  }

  public let kind: Kind
  /// How many bytes of the stream came before the frame.
  public let offset: Int
  /// The length of the whole frame in bytes, with its sync bytes and its checksum.
  public let length: Int
}
