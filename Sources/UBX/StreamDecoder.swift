/// Turns the bytes of a receiver into messages and navigation solutions, one solution per epoch.
///
/// ```
/// decoder.append(bytes)
/// while let reception = decoder.next() { ... }
/// ```
public struct StreamDecoder: Equatable, Codable, Sendable {
  /// When an epoch's solution is handed out.
  public enum Publication: UInt8, Codable, Sendable {
    /// With the message that completes position, time and velocity: for live use.
    ///
    /// That is NAV-PVT itself; of the older messages and of NMEA the one that completes what the epoch before
    /// consisted of, at the latest the next epoch's first.
    case whenPositioned
    /// When the epoch has ended, with everything that was said of it: for decoding files.
    ///
    /// That is at NAV-EOE, at the first message with another time, or at the end of the stream.
    case whenEnded
  }

  private var parser = FrameParser()
  private var epochs: EpochAssembler
  private var isEnding = false
  /// How many frames of each protocol were found.
  public private(set) var frameCounts = FrameCounts()

  public init(publication: Publication) {
    epochs = EpochAssembler(publication: publication)
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) {
    parser.append(bytes)
  }

  /// Takes the next bytes of the stream from memory that is not the decoder's; they are copied.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    parser.append(bytes)
  }

  /// The next finding in stream order; nil when more bytes are needed.
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
  /// Messages are passed over without being made, which is what makes decoding a file fast.
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

  /// Bytes that the frame at hand still lacks, as far as its header says; 0 between frames.
  ///
  /// Valid after `next()` answered nil; within an NMEA sentence the fewest that can follow.
  public var bytesAwaited: Int { parser.bytesAwaited }

  /// Where in the stream the frame at hand begins, or will begin; valid after `next()` answered nil.
  public var frameOffset: Int { parser.frameOffset }

  /// How many bytes of the stream were taken so far.
  public var endOffset: Int { parser.endOffset }

  /// Tells that the line was silent before the next bytes: sentences of one epoch come in one row.
  public mutating func pauseNoticed() {
    epochs.pauseNoticed()
  }

  /// Tells that the newest sentence is so old that the epoch it belongs to is not to be handed out any more.
  ///
  /// Sentences that were switched off leave an epoch behind, which would come out when a reset switches them on again.
  public mutating func sentencesLapsed() {
    epochs.sentencesLapsed()
  }

  /// Tells the same of the newest message of class NAV.
  ///
  /// On a line that damages most messages the next one may come seconds later, and would bring the epoch before.
  public mutating func navigationLapsed() {
    epochs.navigationLapsed()
  }

  /// Gives up the frame at hand, since its rest did not come in time; frames inside its claimed length are
  /// found by the next calls of `next()`.
  public mutating func abandonPartialFrame() {
    parser.abandonPartialFrame()
  }

  /// Tells that the stream has ended: what waits in it comes out of the following calls of `next()`.
  ///
  /// When they have answered nil, the decoder is ready for another stream.
  public mutating func finish() {
    parser.finish()
    isEnding = true
  }

  /// Whether `next()` hands out skies; of sentences from the next epoch on.
  public var isSkyWanted: Bool {
    get { epochs.isSkyWanted }
    set { epochs.isSkyWanted = newValue }
  }

  /// Whether 0xFF between frames means nothing; see `FrameParser`.
  public var isFillerExpected: Bool {
    get { parser.isFillerExpected }
    set { parser.isFillerExpected = newValue }
  }

  /// What was discarded so far.
  public var damage: Damage { parser.damage }

  /// How many bytes belonged to frames so far.
  public var frameBytes: Int { parser.frameBytes }

  private mutating func endEpochsIfEnding() {
    guard isEnding else { return }
    isEnding = false
    epochs.finish()
  }
}
