/// Finds the frames of UBX, NMEA 0183 and RTCM 3 in a stream of bytes that arrives in pieces of any size.
///
/// ```
/// parser.append(bytes)
/// while let frame = parser.next() { ... }
/// ```
///
/// A frame is valid only with a correct checksum. After damage the parser continues at the second byte of the damaged
/// frame, not after its claimed length, so that frames inside a wrong length are found. While a frame is incomplete,
/// all later bytes wait: `abandonPartialFrame()` rejects a frame whose bytes do not arrive in time, `finish()` ends the
/// stream.
///
/// The bytes are kept in one buffer that is reused: no frame costs an allocation. Two parsers that have read the same
/// bytes and all their frames are equal, however the bytes were split.
public struct FrameParser: Equatable, Codable, Sendable {
  /// The longest accepted UBX payload; the longest payload seen from a receiver is 2.1 kB.
  public static let payloadLengthMax = 8_192
  /// The longest accepted NMEA sentence, including `$`, its checksum and one byte of line end.
  ///
  /// The standard allows 82 bytes. PUBX,03 has six fields, about 20 bytes, for each satellite (u-blox 8 / M8 receiver
  /// description, UBX-13003221, "SVSTATUS"); recordings have 424 bytes.
  public static let sentenceLengthMax = 1_024

  /// The bytes discarded so far.
  public private(set) var damage = Damage()
  /// The number of bytes in frames so far.
  public private(set) var frameBytes = 0
  /// Whether 0xFF between frames is ignored.
  ///
  /// A receiver on an I2C bus sends 0xFF while it has no data. No frame begins with 0xFF (M10 SPG 5.10 integration
  /// manual, "I2C interface"). Within a frame 0xFF is data.
  public var isFillerExpected = false

  private var buffer: [UInt8] = []
  /// Index into `buffer` of the first byte that is neither discarded nor part of a returned frame.
  private var head = 0
  /// Offset in the stream of the first byte of `buffer`.
  private var bufferOffset = 0
  private var isEnding = false
  /// Bytes before this offset in the stream are counted under `damageCause`.
  private var damageEnd = 0
  private var damageCause = Damage.Cause.noise
  private var isInNoise = false
  /// The number of missing bytes of the current frame, set by the last `next()` that returned nil.
  private var missing = 0
  /// The number of consecutive sentences that ended in a carriage return alone, up to `loneReturnsMax`.
  private var loneReturns = 0
  /// Whether the current sentence is accepted without its missing line feed.
  private var takesUnended = false

  /// This many sentences with a carriage return alone show that the sender sends no line feeds.
  ///
  /// A single one may be a damaged sentence.
  private static let loneReturnsMax = 2

  public init() {}

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: [UInt8]) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// Takes the next bytes of the stream.
  public mutating func append(_ bytes: ArraySlice<UInt8>) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// Takes the next bytes of the stream from foreign memory; the bytes are copied.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    compact()
    buffer.append(contentsOf: bytes)
  }

  /// The next frame in stream order; nil when more bytes are needed.
  public mutating func next() -> Frame? {
    while head < buffer.count {
      switch finding() {
      case .frame(let kind, let length): return accept(kind, length)
      case .unendedSentence(let length):
        if isEnding || takesUnended { return accept(.nmea, length) }
        missing = 1
        compact()
        return nil
      case .sentenceWithoutEnd(let length):
        if isEnding { return accept(.nmea, length) }
        missing = 2
        compact()
        return nil
      case .incomplete(let count):
        guard isEnding else {
          missing = count
          compact()
          return nil
        }
        reject(.truncated, extent: buffer.count - head)
      case .damaged(let cause, let extent):
        reject(cause, extent: extent)
      case .noise(let count):
        // The sender sends line feeds.
        if buffer[head] == UInt8(ascii: "\n") { loneReturns = 0 }
        discard(count)
      }
    }
    isEnding = false
    missing = 0
    compact()
    return nil
  }

  /// The known number of missing bytes of the current frame; 0 between frames.
  ///
  /// The number is exact after a UBX or RTCM header. Before the end of the header, and within an NMEA sentence, the
  /// number is the minimum. Valid after `next()` returned nil.
  public var bytesAwaited: Int { missing }

  /// The stream offset at which the current or next frame begins; valid after `next()` returned nil.
  public var frameOffset: Int { bufferOffset &+ head }

  /// The number of bytes of the stream so far.
  public var endOffset: Int { bufferOffset &+ buffer.count }

  /// Whether a frame is incomplete; valid after `next()` returned nil.
  public var isWithinFrame: Bool { missing > 0 }

  /// Rejects the incomplete frame, because its remaining bytes did not arrive in time.
  ///
  /// The next calls of `next()` return frames inside its claimed length, and a sentence that lacks only its line feed.
  public mutating func abandonPartialFrame() {
    guard missing > 0, head < buffer.count else { return }
    missing = 0
    if case .unendedSentence = finding() {
      takesUnended = true
      return
    }
    reject(.abandoned, extent: buffer.count - head)
  }

  /// Ends the stream: the next calls of `next()` return the frames in the remaining bytes, until a call returns nil.
  ///
  /// The last sentence of a stream needs no line end: with a correct checksum the sentence is complete.
  /// After the nil the parser is ready for a new stream; offsets and counters continue.
  public mutating func finish() {
    isEnding = true
  }

  /// The payload of a UBX frame, the text between `$` and `*` of a sentence, or the payload of an RTCM frame.
  ///
  /// - Parameters:
  ///   - frame: the last frame that `next()` returned.
  ///   - body: reads the payload, which is valid only during this call.
  /// - Returns: the result of `body`.
  public func withPayload<Result>(of frame: Frame, _ body: (Payload) -> Result) -> Result {
    let start = frame.offset &- bufferOffset
    precondition(
      start >= 0 && start + frame.length <= buffer.count,
      "a frame's bytes are the parser's until the next call of next() or append")
    return buffer.withUnsafeBytes { bytes in
      let whole = UnsafeRawBufferPointer(rebasing: bytes[start..<start + frame.length])
      return body(Payload(frame: whole, kind: frame.kind))
    }
  }

  /// The address field of an NMEA sentence, such as `GNRMC`; empty for other frames.
  public func address(of frame: Frame) -> String {
    guard frame.kind == .nmea else { return "" }
    return withPayload(of: frame) { payload in
      payload.text(upTo: payload.firstOffset(of: UInt8(ascii: ",")) ?? payload.count)
    }
  }

  private func finding() -> FrameScanner.Finding {
    let endsAtReturn = loneReturns == FrameParser.loneReturnsMax
    return buffer.withUnsafeBytes {
      FrameScanner(bytes: $0, endsAtReturn: endsAtReturn).finding(at: head)
    }
  }

  private mutating func accept(_ kind: Frame.Kind, _ length: Int) -> Frame {
    let frame = Frame(kind: kind, offset: bufferOffset &+ head, length: length)
    if case .nmea = kind {
      let isLoneReturn = buffer[head + length - 1] == UInt8(ascii: "\r")
      loneReturns = isLoneReturn ? min(loneReturns + 1, FrameParser.loneReturnsMax) : 0
      takesUnended = false
    }
    head += length
    frameBytes &+= length
    missing = 0
    damageEnd = 0
    isInNoise = false
    return frame
  }

  /// Rejects the frame at the head: only its first byte is discarded.
  private mutating func reject(_ cause: Damage.Cause, extent: Int) {
    let offset = bufferOffset &+ head
    if offset >= damageEnd {
      damageCause = cause
      damageEnd = offset &+ extent
      damage.count(bytes: 0, occurrences: 1, by: cause)
    }
    isInNoise = false
    discard(1)
  }

  private mutating func discard(_ count: Int) {
    var count = count
    if isFillerExpected, damageEnd <= bufferOffset &+ head {
      let filler = buffer[head..<head + count].prefix { $0 == 0xFF }.count
      head += filler
      count -= filler
      if count == 0 { return }
    }
    let offset = bufferOffset &+ head
    let claimed = min(count, max(0, damageEnd &- offset))
    if claimed > 0 { damage.count(bytes: claimed, occurrences: 0, by: damageCause) }
    if claimed < count {
      damage.count(bytes: count - claimed, occurrences: isInNoise ? 0 : 1, by: .noise)
      isInNoise = true
    }
    head += count
  }

  /// Moves the remaining bytes to the front of the buffer: at most one partial frame after all frames were read.
  private mutating func compact() {
    guard head > 0 else { return }
    bufferOffset &+= head
    if head == buffer.count {
      buffer.removeAll(keepingCapacity: true)
    } else {
      buffer.removeSubrange(0..<head)
    }
    head = 0
  }
}
