import BinnacleBasics

/// Decodes a receiver's bytes into messages and navigation solutions, one solution per epoch.
///
/// ```
/// decoder.append(bytes)
/// while let reception = decoder.next() { ... }
/// ```
public struct StreamDecoder: Equatable, Codable, Sendable {
  /// When the solution of an epoch is published.
  public enum Publication: UInt8, Codable, Sendable {
    /// With the message that completes position, time and velocity: for live use.
    ///
    /// With NAV-PVT this is NAV-PVT itself. With older messages or NMEA this is the message that completes the set of
    /// messages of the last epoch, at the latest the first message of the next epoch.
    case whenPositioned
    /// At the end of the epoch, with all its messages: for decoding files.
    ///
    /// The epoch ends with NAV-EOE, with the first message with a different time, or with the stream.
    case whenEnded
  }

  private var parser = FrameParser()
  private var epochs: EpochAssembler
  private var isEnding = false
  /// The number of frames of each protocol so far.
  public private(set) var frameCounts = FrameCounts()
  private var passing = PassedByAddress()

  public init(publication: Publication) {
    epochs = EpochAssembler(publication: publication)
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) {
    parser.append(bytes)
  }

  /// Takes the next bytes of the stream from foreign memory; the bytes are copied.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    parser.append(bytes)
  }

  /// The next result in stream order; nil when more bytes are needed.
  public mutating func next() -> Reception? {
    if let solution = epochs.next() { return .solution(solution) }
    if let found = epochs.nextSky() {
      return .sky(found.sky, isInSentences: found.isInSentences)
    }
    if let frame = parser.next() {
      frameCounts.count(frame.kind)
      let message = parser.withPayload(of: frame) { payload in
        epochs.take(frame.kind, payload)
        return Message(frame.kind, payload)
      }
      return .message(message)
    }
    endEpochsIfEnding()
    if let solution = epochs.next() { return .solution(solution) }
    return epochs.nextSky().map { .sky($0.sky, isInSentences: $0.isInSentences) }
  }

  /// The next solution in stream order; nil when more bytes are needed.
  ///
  /// This method builds no messages, which makes decoding of a file fast.
  public mutating func nextSolution() -> NavigationSolution? {
    while true {
      if let solution = epochs.next() { return solution }
      guard let frame = parser.next() else { break }
      frameCounts.count(frame.kind)
      parser.withPayload(of: frame) { epochs.take(frame.kind, $0) }
    }
    endEpochsIfEnding()
    return epochs.next()
  }

  /// The known number of missing bytes of the current frame; 0 between frames.
  ///
  /// Within an NMEA sentence the number is the minimum. Valid after `next()` returned nil.
  public var bytesAwaited: Int { parser.bytesAwaited }

  /// The stream offset at which the current or next frame begins; valid after `next()` returned nil.
  public var frameOffset: Int { parser.frameOffset }

  /// The number of bytes of the stream so far.
  public var endOffset: Int { parser.endOffset }

  /// Reports a pause before the next bytes: the messages of one epoch arrive without a pause, as a rule.
  public mutating func pauseNoticed() {
    epochs.pauseNoticed()
  }

  /// Suppresses the epoch of the newest sentence, because the sentence is too old.
  ///
  /// Sentences that were switched off leave an unpublished epoch. Without this call, the epoch would be published when
  /// a reset switches the sentences on again.
  public mutating func sentencesLapsed() {
    epochs.sentencesLapsed()
  }

  /// Suppresses the epoch of the newest message of class NAV, because the message is too old.
  ///
  /// On a line that damages most messages, the next message may arrive seconds later and would publish the epoch
  /// before.
  public mutating func navigationLapsed() {
    epochs.navigationLapsed()
  }

  /// Rejects the incomplete frame, because its remaining bytes did not arrive in time.
  ///
  /// The next calls of `next()` return frames inside its claimed length.
  public mutating func abandonPartialFrame() {
    parser.abandonPartialFrame()
  }

  /// Ends the stream: the next calls of `next()` return all pending results.
  ///
  /// After `next()` has returned nil, the decoder is ready for another stream.
  public mutating func finish() {
    parser.finish()
    isEnding = true
  }

  /// Whether `next()` returns skies; skies from sentences begin with a later epoch.
  public var isSkyWanted: Bool {
    get { epochs.isSkyWanted }
    set { epochs.isSkyWanted = newValue }
  }

  /// Whether 0xFF between frames is ignored; see `FrameParser`.
  public var isFillerExpected: Bool {
    get { parser.isFillerExpected }
    set { parser.isFillerExpected = newValue }
  }

  /// The bytes discarded so far.
  public var damage: Damage { parser.damage }

  /// The number of bytes in frames so far.
  public var frameBytes: Int { parser.frameBytes }

  private mutating func endEpochsIfEnding() {
    guard isEnding else { return }
    isEnding = false
    epochs.finish()
  }
}
