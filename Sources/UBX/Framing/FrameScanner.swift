/// Identifies the frame or the noise at a position of a byte buffer.
///
/// Only this file reads the stream through unsafe pointers, for speed: the bounds are checked once per frame instead of
/// once per byte. Every `bytes[...]` below follows a comparison with `available`. `UnsafeRawBufferPointer` checks again
/// in debug builds, in which the tests and the fuzzer run.
struct FrameScanner {
  let bytes: UnsafeRawBufferPointer
  /// Whether sentences end in a carriage return alone, so that no sentence waits for a line feed.
  var endsAtReturn = false

  /// The longest line end in bytes: eight blanks and carriage returns, and the line feed.
  private static let lineEndMax = 9

  /// The result of a scan at one position.
  enum Finding {
    /// A complete frame with the correct checksum.
    case frame(Frame.Kind, length: Int)
    /// A sentence with the correct checksum and a carriage return; a line feed may follow.
    case unendedSentence(length: Int)
    /// A sentence with the correct checksum, and no byte of its line end.
    case sentenceWithoutEnd(length: Int)
    /// A frame that lacks at least this many bytes.
    case incomplete(missing: Int)
    /// An invalid frame; its claimed length is `extent`.
    case damaged(Damage.Cause, extent: Int)
    /// This many bytes that are not the start of a frame.
    case noise(count: Int)
  }

  private enum Byte {
    static let ubxSync1: UInt8 = 0xB5
    static let ubxSync2: UInt8 = 0x62
    static let rtcmSync: UInt8 = 0xD3
    static let dollar = UInt8(ascii: "$")
    static let exclamation = UInt8(ascii: "!")
    static let asterisk = UInt8(ascii: "*")
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let blank = UInt8(ascii: " ")
    static let tabulator = UInt8(ascii: "\t")
  }

  func finding(at start: Int) -> Finding {
    guard start < bytes.count else { return .noise(count: 0) }
    switch bytes[start] {
    case Byte.ubxSync1: return ubx(at: start)
    case Byte.dollar, Byte.exclamation: return nmea(at: start)
    case Byte.rtcmSync: return rtcm(at: start)
    case _: return .noise(count: noiseLength(from: start))
    }
  }

  /// B5 62, class, id, length (2 bytes, little endian), payload, CK_A, CK_B.
  private func ubx(at start: Int) -> Finding {
    let available = bytes.count - start
    guard available >= 2 else { return .incomplete(missing: 7) }
    guard bytes[start + 1] == Byte.ubxSync2 else { return .noise(count: 1) }
    guard available >= 6 else { return .incomplete(missing: 8 - available) }
    let payloadLength = Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8
    guard payloadLength <= FrameParser.payloadLengthMax else {
      return .damaged(.overlong, extent: 6)
    }
    let length = payloadLength + 8
    guard available >= length else { return .incomplete(missing: length - available) }
    let end = start + length
    let sum = Checksum.fletcher(UnsafeRawBufferPointer(rebasing: bytes[start + 2..<end - 2]))
    guard UInt16(bytes[end - 2]) | UInt16(bytes[end - 1]) << 8 == sum else {
      return .damaged(.ubxChecksum, extent: length)
    }
    return .frame(.ubx(messageClass: bytes[start + 2], id: bytes[start + 3]), length: length)
  }

  /// D3, 6 bits that are 0, 10-bit length, payload, CRC-24Q (RTCM 10403).
  private func rtcm(at start: Int) -> Finding {
    let available = bytes.count - start
    guard available >= 2 else { return .incomplete(missing: 5) }
    guard bytes[start + 1] & 0xFC == 0 else { return .noise(count: 1) }
    guard available >= 3 else { return .incomplete(missing: 6 - available) }
    let payloadLength = Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
    let length = payloadLength + 6
    guard available >= length else { return .incomplete(missing: length - available) }
    let end = start + length
    let sum = Checksum.crc24Q(UnsafeRawBufferPointer(rebasing: bytes[start..<end - 3]))
    let sent = UInt32(bytes[end - 3]) << 16 | UInt32(bytes[end - 2]) << 8 | UInt32(bytes[end - 1])
    guard sent == sum else { return .damaged(.rtcmChecksum, extent: length) }
    guard payloadLength >= 2 else { return .frame(.rtcm(messageNumber: 0), length: length) }
    let number = UInt16(bytes[start + 3]) << 4 | UInt16(bytes[start + 4]) >> 4
    return .frame(.rtcm(messageNumber: number), length: length)
  }

  /// `$` or `!`, an address that begins with a capital letter, text, `*`, two hexadecimal digits, line end.
  private func nmea(at start: Int) -> Finding {
    let available = bytes.count - start
    guard available >= 2 else { return .incomplete(missing: 7) }
    guard isCapital(bytes[start + 1]) else { return .noise(count: 1) }
    // The asterisk must come early enough for the checksum and the line end. The scanner reads no byte after this
    // limit, so that the result does not depend on bytes that have not arrived yet.
    let asteriskLimit = FrameParser.sentenceLengthMax - 4
    var length = 2
    while length < min(available, asteriskLimit), bytes[start + length] != Byte.asterisk {
      let byte = bytes[start + length]
      guard byte >= 0x20, byte < 0x7F, byte != Byte.dollar else {
        return .damaged(.brokenSentence, extent: length)
      }
      length += 1
    }
    guard length < asteriskLimit else { return .damaged(.overlong, extent: length) }
    guard length < available else { return .incomplete(missing: 5) }
    return nmeaEnd(start: start, asterisk: start + length)
  }

  private func nmeaEnd(start: Int, asterisk: Int) -> Finding {
    let extent = asterisk + 1 - start
    let available = bytes.count - asterisk
    guard available >= 3 else { return .incomplete(missing: 5 - available) }
    guard let high = digit(bytes[asterisk + 1]), let low = digit(bytes[asterisk + 2]) else {
      return .damaged(.brokenSentence, extent: extent)
    }
    let body = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<asterisk])
    guard Checksum.exclusiveOr(body) == high << 4 | low else {
      return .damaged(.nmeaChecksum, extent: extent + 2)
    }
    guard SentenceShape.fits(Payload(body)) else {
      return .damaged(.brokenSentence, extent: extent + 2)
    }
    return lineEnd(start: start, from: asterisk + 3)
  }

  /// Finds the end of a sentence: CR LF by the standard.
  ///
  /// Receivers also send CR CR LF, LF or CR alone, and blanks before the end.
  private func lineEnd(start: Int, from first: Int) -> Finding {
    var returnEnd: Int?
    var end = first
    while end < first + FrameScanner.lineEndMax {
      guard end < bytes.count else {
        return returnEnd.map { .unendedSentence(length: $0 - start) }
          ?? .sentenceWithoutEnd(length: end - start)
      }
      switch bytes[end] {
      case Byte.lineFeed: return .frame(.nmea, length: end + 1 - start)
      case Byte.carriageReturn:
        returnEnd = end + 1
        if endsAtReturn { return .frame(.nmea, length: end + 1 - start) }
      case Byte.blank, Byte.tabulator: break
      case _: return unfed(start: start, returnEnd: returnEnd, extent: first - start)
      }
      end += 1
    }
    return unfed(start: start, returnEnd: returnEnd, extent: first - start)
  }

  /// A sentence whose line end has no line feed.
  private func unfed(start: Int, returnEnd: Int?, extent: Int) -> Finding {
    guard let returnEnd else { return .damaged(.brokenSentence, extent: extent) }
    return .frame(.nmea, length: returnEnd - start)
  }

  private func noiseLength(from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count {
      switch bytes[end] {
      case Byte.ubxSync1, Byte.dollar, Byte.exclamation, Byte.rtcmSync: return end - start
      case _: end += 1
      }
    }
    return end - start
  }

  private func isCapital(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  private func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case _: nil
    }
  }
}
