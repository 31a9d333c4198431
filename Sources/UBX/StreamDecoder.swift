/// Turns the bytes of a receiver into messages and navigation solutions, one solution per epoch.
public struct StreamDecoder: Equatable, Codable, Sendable {
  /// When an epoch's solution is handed out.
  public enum Publication: UInt8, Codable, Sendable {
    /// With the message that completes position, time and velocity: for live use.
    case whenPositioned
    /// When the epoch has ended, with everything that was said of it: for decoding files.
    case whenEnded
  }

  public init(publication: Publication) {
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) {
  }

  /// The next finding in stream order; nil when more bytes are needed.
  public mutating func next() -> Reception? {
    nil
  }

  /// Bytes that the frame at hand still lacks, as far as its header says; 0 between frames.
  public var bytesAwaited: Int { 0 }
}
