import TestSupport

@testable import UBX

/// A recording with the frames that an independent scanner found in it.
struct Recording: CustomStringConvertible, Sendable {
  let name: String

  var description: String { name }

  /// All recordings.
  ///
  /// Without recordings, the list has one unreadable file, so that the test fails.
  static var all: [Recording] {
    ((try? TestData.ubloxLogs()) ?? ["of any name"]).map(Recording.init)
  }

  func bytes() throws -> [UInt8] { try TestData.bytes("ublox/logs/" + name) }

  /// Lines `KIND offset length id` of the reference, without its rows of damage.
  func referenceFrames() throws -> [String] {
    let text = String(
      decoding: try TestData.bytes("ublox/reference/\(name).frames.tsv"), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map(String.init)
      .filter { !$0.hasPrefix("BAD") && !$0.hasPrefix("TRUNC") }
  }
}

/// The output of a parser for bytes that arrive in pieces.
struct ParsedStream: Equatable {
  var lines: [String] = []
  var parser = FrameParser()

  /// Feeds all bytes in pieces and ends the stream.
  init(_ bytes: [UInt8], pieces: (Int) -> Int) {
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, pieces(start)))
      parser.append(bytes[start..<end])
      take()
      start = end
    }
    parser.finish()
    take()
  }

  init(_ bytes: [UInt8]) {
    self.init(bytes) { _ in bytes.count }
  }

  var countedBytes: Int { parser.frameBytes + parser.damage.discardedBytes }

  private mutating func take() {
    while let frame = parser.next() {
      lines.append(ParsedStream.line(frame, parser))
    }
  }

  static func line(_ frame: Frame, _ parser: FrameParser) -> String {
    let place = "\t\(frame.offset)\t\(frame.length)\t"
    switch frame.kind {
    case .ubx(let messageClass, let id):
      return "UBX" + place + hexadecimal(messageClass) + "-" + hexadecimal(id)
    case .nmea: return "NMEA" + place + parser.address(of: frame)
    case .rtcm(let number): return "RTCM" + place + "\(number)"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
