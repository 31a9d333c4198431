/// Turns the bytes of a receiver into messages and navigation solutions, one solution per epoch.
public struct StreamDecoder: Equatable, Codable, Sendable {
  /// When an epoch's solution is handed out.
  public enum Publication: UInt8, Codable, Sendable {
    /// With the message that completes position, time and velocity: for live use.
    case whenPositioned
    /// When the epoch has ended, with everything that was said of it: for decoding files.
    case whenEnded
  }

  private var parser = FrameParser()

  public init(publication: Publication) {
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) {
    parser.append(bytes)
  }

  /// The next finding in stream order; nil when more bytes are needed.
  public mutating func next() -> Reception? {
    guard let frame = parser.next() else { return nil }
    return .message(parser.withPayload(of: frame) { Message(frame.kind, $0) })
  }

  /// Bytes that the frame at hand still lacks, as far as its header says; 0 between frames.
  public var bytesAwaited: Int { parser.bytesAwaited }

  /// Gives up the frame at hand, since its rest did not come in time.
  public mutating func abandonPartialFrame() {
    parser.abandonPartialFrame()
  }

  /// Tells that the stream has ended: what waits in it comes out of the following calls of `next()`.
  public mutating func finish() {
    parser.finish()
  }

  /// What was discarded so far.
  public var damage: Damage { parser.damage }
}
