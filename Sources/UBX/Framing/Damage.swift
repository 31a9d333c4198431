/// The bytes of a stream that belong to no frame, by cause.
///
/// A parser counts every byte either as part of a frame or here. The parser rejects a damaged frame at its first byte
/// and continues at the second byte. The bytes of a damaged frame are counted under the cause of the rejection, up to
/// the next valid frame or to the claimed end of the damaged frame.
public struct Damage: Equatable, Codable, Sendable {
  /// Why bytes were discarded.
  public enum Cause: UInt8, CaseIterable, Codable, Sendable {
    /// Bytes between frames that are not the start of a frame.
    case noise
    /// A UBX frame whose Fletcher checksum is wrong.
    case ubxChecksum
    /// An NMEA sentence whose checksum is wrong.
    case nmeaChecksum
    /// An RTCM 3 frame whose CRC-24Q is wrong.
    case rtcmChecksum
    /// A UBX length above `FrameParser.payloadLengthMax` or a sentence without an end.
    case overlong
    /// A sentence that is interrupted, has bytes that are illegal in a sentence, or has fields in wrong places.
    case brokenSentence
    /// A frame whose remaining bytes did not arrive in time.
    case abandoned
    /// A frame that is truncated by the end of the stream.
    case truncated
  }

  /// The count of one cause.
  public struct Count: Equatable, Codable, Sendable {
    /// How many times the cause occurred.
    public var occurrences = 0
    /// How many bytes were discarded.
    public var bytes = 0

    public init() {}
  }

  private var noise = Count()
  private var ubxChecksum = Count()
  private var nmeaChecksum = Count()
  private var rtcmChecksum = Count()
  private var overlong = Count()
  private var brokenSentence = Count()
  private var abandoned = Count()
  private var truncated = Count()

  public init() {}

  public subscript(cause: Cause) -> Count {
    switch cause {
    case .noise: noise
    case .ubxChecksum: ubxChecksum
    case .nmeaChecksum: nmeaChecksum
    case .rtcmChecksum: rtcmChecksum
    case .overlong: overlong
    case .brokenSentence: brokenSentence
    case .abandoned: abandoned
    case .truncated: truncated
    }
  }

  /// Bytes that belong to no frame, for all causes.
  public var discardedBytes: Int {
    noise.bytes &+ ubxChecksum.bytes &+ nmeaChecksum.bytes &+ rtcmChecksum.bytes &+ overlong.bytes
      &+ brokenSentence.bytes &+ abandoned.bytes &+ truncated.bytes
  }

  /// The number of occurrences, for all causes.
  public var occurrences: Int {
    noise.occurrences &+ ubxChecksum.occurrences &+ nmeaChecksum.occurrences
      &+ rtcmChecksum.occurrences &+ overlong.occurrences &+ brokenSentence.occurrences
      &+ abandoned.occurrences &+ truncated.occurrences
  }

  mutating func count(bytes: Int, occurrences: Int, by cause: Cause) {
    switch cause {
    case .noise: add(bytes, occurrences, to: &noise)
    case .ubxChecksum: add(bytes, occurrences, to: &ubxChecksum)
    case .nmeaChecksum: add(bytes, occurrences, to: &nmeaChecksum)
    case .rtcmChecksum: add(bytes, occurrences, to: &rtcmChecksum)
    case .overlong: add(bytes, occurrences, to: &overlong)
    case .brokenSentence: add(bytes, occurrences, to: &brokenSentence)
    case .abandoned: add(bytes, occurrences, to: &abandoned)
    case .truncated: add(bytes, occurrences, to: &truncated)
    }
  }

  private func add(_ bytes: Int, _ occurrences: Int, to count: inout Count) {
    count.bytes &+= bytes
    count.occurrences &+= occurrences
  }
}
