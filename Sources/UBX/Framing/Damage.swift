/// How many bytes of a stream belonged to no frame, and why.
///
/// Every byte that a parser takes in is either part of a frame or counted here. A damaged frame is given up
/// at its first byte and the scan goes on at the second, so that its bytes are counted under the reason for
/// which it was given up, up to the next good frame or to its claimed end.
public struct Damage: Equatable, Codable, Sendable {
  /// Why bytes were discarded.
  public enum Cause: UInt8, CaseIterable, Codable, Sendable {
    /// Bytes between frames that begin nothing.
    case noise
    /// A UBX frame whose Fletcher checksum is wrong.
    case ubxChecksum
    /// An NMEA sentence whose checksum is wrong.
    case nmeaChecksum
    /// An RTCM 3 frame whose CRC-24Q is wrong.
    case rtcmChecksum
    /// A UBX length above `FrameParser.payloadLengthMax` or a sentence without an end.
    case overlong
    /// A sentence that is broken off or has bytes that a sentence cannot have.
    case brokenSentence
    /// A frame whose rest did not come in time.
    case abandoned
    /// A frame that the end of the stream cut off.
    case truncated
  }

  /// What one cause has taken.
  public struct Count: Equatable, Codable, Sendable {
    /// How often it struck.
    public var occurrences = 0
    /// How many bytes it took.
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

  /// Bytes that belonged to no frame, whatever the cause.
  public var discardedBytes: Int {
    Cause.allCases.reduce(0) { $0 &+ self[$1].bytes }
  }

  /// How often something was discarded, whatever the cause.
  public var occurrences: Int {
    Cause.allCases.reduce(0) { $0 &+ self[$1].occurrences }
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
