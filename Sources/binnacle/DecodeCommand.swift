import Glibc
import Posix
import UBX

/// `binnacle decode`: what a recording of receiver bytes says, one line for each epoch or frame.
struct DecodeCommand {
  private enum Input {
    static let chunkSize = 262_144
    static let standardInput = "-"
  }

  private let isFrames: Bool
  private let files: [String]
  private var output = DecodeOutput()
  private var chunk = [UInt8](repeating: 0, count: Input.chunkSize)

  /// Reads the words behind `binnacle decode`.
  init(_ words: [String]) throws(Arguments.UsageError) {
    let arguments = try Arguments(words, options: [.flag("frames")], positionalsMax: Int.max)
    isFrames = arguments.has("frames")
    files = arguments.positionals
    if files.isEmpty { throw .init("a FILE is missing; - is standard input") }
  }

  /// Decodes one file after the other; one that cannot be read does not keep the others from it.
  mutating func run() -> ExitStatus {
    var status = ExitStatus.success
    for file in files {
      do throws(DecodeFailure) {
        try decode(file)
      } catch {
        switch error {
        case .input(let reason):
          complain("\(file): \(reason)")
          status = .inputMissing
        case .output(.brokenPipe):
          // Whoever read the lines wants no more of them.
          return status
        case .output(let reason):
          complain("standard output: \(reason)")
          return .failure
        }
      }
    }
    return status
  }

  private mutating func decode(_ file: String) throws(DecodeFailure) {
    let name = file == Input.standardInput ? "standard input" : file
    let source = try DecodeSource(file == Input.standardInput ? nil : file)
    let damage = isFrames ? try writeFrames(source) : try writeSolutions(source)
    if damage.discardedBytes > 0 { complain("\(name): \(DecodeCommand.summary(of: damage))") }
  }

  private mutating func writeSolutions(_ source: borrowing DecodeSource) throws(DecodeFailure)
    -> Damage
  {
    var decoder = StreamDecoder(publication: .whenEnded)
    var isMore = true
    while isMore {
      let count = try source.read(into: &chunk)
      isMore = count > 0
      if isMore {
        chunk.withUnsafeBytes { decoder.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } else {
        decoder.finish()
      }
      while let solution = decoder.nextSolution() { try output.write(solution) }
      if source.isLive || !isMore { try output.flush() }
    }
    return decoder.damage
  }

  private mutating func writeFrames(_ source: borrowing DecodeSource) throws(DecodeFailure)
    -> Damage
  {
    var parser = FrameParser()
    var isMore = true
    while isMore {
      let count = try source.read(into: &chunk)
      isMore = count > 0
      if isMore {
        chunk.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } else {
        parser.finish()
      }
      while let frame = parser.next() {
        try output.write(frame, address: parser.address(of: frame))
      }
      if source.isLive || !isMore { try output.flush() }
    }
    return parser.damage
  }

  /// Such as `62 bytes discarded: 3 times wrong UBX checksum (55), 1 time noise (7)`.
  static func summary(of damage: Damage) -> String {
    let parts = Damage.Cause.allCases.filter { damage[$0].bytes > 0 }.map { cause in
      let count = damage[cause]
      let times = count.occurrences == 1 ? "1 time" : "\(count.occurrences) times"
      return "\(times) \(cause.words) (\(count.bytes))"
    }
    let bytes = damage.discardedBytes == 1 ? "1 byte" : "\(damage.discardedBytes) bytes"
    return "\(bytes) discarded: " + parts.joined(separator: ", ")
  }
}

/// Why decoding a file ended early.
enum DecodeFailure: Error, Equatable {
  case input(Errno)
  case output(Errno)
}

extension Damage.Cause {
  /// What a person reads in the summary.
  var words: String {
    switch self {
    case .noise: "noise between frames"
    case .ubxChecksum: "wrong UBX checksum"
    case .nmeaChecksum: "wrong NMEA checksum"
    case .rtcmChecksum: "wrong RTCM checksum"
    case .overlong: "impossible length"
    case .brokenSentence: "broken sentence"
    case .abandoned: "frame that did not end in time"
    case .truncated: "frame cut off at the end"
    }
  }
}

/// Runs `binnacle decode` with the words behind it and answers the exit status.
func runDecode(arguments: [String]) -> Int32 {
  do {
    var command = try DecodeCommand(arguments)
    return command.run().rawValue
  } catch {
    complain("decode: \(error); usage: binnacle decode [--frames] FILE...")
    return ExitStatus.usage.rawValue
  }
}
