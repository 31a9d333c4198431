/// Finds the frames of UBX, NMEA 0183 and RTCM 3 in a stream of bytes that comes in pieces of any size.
///
/// ```
/// parser.append(bytes)
/// while let frame = parser.next() { ... }
/// ```
///
/// A frame counts only when its checksum is right. After any damage the scan goes on at the byte behind the
/// damaged frame's first one, never behind its claimed length, so that frames inside a hostile length are found.
/// While a claimed frame is incomplete, what follows it waits: `abandonPartialFrame()` gives it up when its
/// bytes do not come in time, `finish()` when the stream has ended.
///
/// The bytes are kept in one buffer that is reused: no frame costs an allocation. Two parsers that were fed the
/// same bytes and drained are equal, whatever pieces the bytes came in.
public struct FrameParser: Equatable, Codable, Sendable {
  /// The longest UBX payload that is believed; the longest that receivers were seen to send is 2.1 kB.
  public static let payloadLengthMax = 8_192
  /// The longest NMEA sentence that is believed, with `$`, its checksum and one byte of line end.
  ///
  /// The standard allows 82 bytes. PUBX,03 has six fields, about 20 bytes, for each satellite (u-blox 8 / M8 receiver
  /// description, UBX-13003221, "SVSTATUS"); recordings have 424 bytes.
  public static let sentenceLengthMax = 1_024

  /// What was discarded so far.
  public private(set) var damage = Damage()
  /// How many bytes belonged to frames so far.
  public private(set) var frameBytes = 0
  /// Whether 0xFF between frames means nothing: a receiver on an I2C bus reads so while it has nothing to say.
  ///
  /// No frame begins with it (M10 SPG 5.10 integration manual, "I2C interface"); within frames it is a byte as others.
  public var isFillerExpected = false

  private var buffer: [UInt8] = []
  /// Index into `buffer` of the first byte that is neither part of a frame handed out nor discarded.
  private var head = 0
  /// Offset in the stream of the first byte of `buffer`.
  private var bufferOffset = 0
  private var isEnding = false
  /// Bytes before this offset in the stream are the fault of `damageCause`.
  private var damageEnd = 0
  private var damageCause = Damage.Cause.noise
  private var isInNoise = false
  /// What the frame at hand lacks, learned by the last `next()` that answered nil.
  private var missing = 0
  /// How many sentences in a row had a carriage return alone as their line end, up to `loneReturnsMax`.
  private var loneReturns = 0
  /// Whether the sentence at hand is taken without the line feed that did not come.
  private var takesUnended = false

  /// So many sentences with a carriage return alone show that no line feeds come; one may just be damaged.
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

  /// Takes the next bytes of the stream from memory that is not the parser's; they are copied.
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
        // Line feeds come after all.
        if buffer[head] == UInt8(ascii: "\n") { loneReturns = 0 }
        discard(count)
      }
    }
    isEnding = false
    missing = 0
    compact()
    return nil
  }

  /// Bytes that the frame at hand still lacks, as far as it is known; 0 between frames.
  ///
  /// Exact once a UBX or RTCM header is there; before that, and within an NMEA sentence, the fewest that can follow.
  /// Valid after `next()` answered nil.
  public var bytesAwaited: Int { missing }

  /// Where in the stream the frame at hand begins, or will begin; valid after `next()` answered nil.
  public var frameOffset: Int { bufferOffset &+ head }

  /// How many bytes of the stream were taken so far.
  public var endOffset: Int { bufferOffset &+ buffer.count }

  /// Whether a frame has begun and is incomplete; valid after `next()` answered nil.
  public var isWithinFrame: Bool { missing > 0 }

  /// Gives up the frame at hand, since its rest did not come in time; frames inside its claimed length are
  /// found by the next calls of `next()`.
  ///
  /// A sentence that lacks its line feed alone is found by the next call, too.
  public mutating func abandonPartialFrame() {
    guard missing > 0, head < buffer.count else { return }
    missing = 0
    if case .unendedSentence = finding() {
      takesUnended = true
      return
    }
    reject(.abandoned, extent: buffer.count - head)
  }

  /// Tells that the stream has ended: the following calls of `next()` find what is hidden in the tail, until
  /// one answers nil.
  ///
  /// After that the parser is ready for a new stream; offsets and counters go on.
  public mutating func finish() {
    isEnding = true
  }

  /// The payload of a UBX frame, the text between `$` and `*` of a sentence, or the payload of an RTCM frame.
  ///
  /// - Parameters:
  ///   - frame: the last frame that `next()` answered.
  ///   - body: reads the payload, which is not valid after it has returned.
  /// - Returns: what `body` has answered.
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

  /// Gives up the frame that seemed to begin at the head: only its first byte is discarded.
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

  /// Moves what is left to the front of the buffer; at most one partial frame when it was drained.
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
