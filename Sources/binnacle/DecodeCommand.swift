import BinnacleBasics
import BinnaclePosix
import Glibc
import UBX

/// `binnacle decode`: prints a recording of receiver bytes, one line for each epoch or frame.
struct DecodeCommand {
  static let standardInput = "-"

  private let isFrames: Bool
  private let files: [String]
  private var output = DecodeOutput()

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    isFrames = arguments.has("frames")
    files = arguments.positionals
    if files.isEmpty { throw .init("decode: a FILE is missing; - is standard input") }
  }

  /// Decodes the files in order; an unreadable file does not stop the others.
  mutating func run() -> ExitStatus {
    var status = ExitStatus.success
    for file in files {
      do throws(DecodeFailure) {
        if try !decode(file), status == .success { status = .dataDamaged }
      } catch {
        switch error {
        case .output(.brokenPipe):
          // The reader of the output has closed it.
          return status
        case .output(let reason):
          complain("standard output: \(reason)")
          return .failure
        case .input, .compressed, .damaged:
          let failure = error.reported(of: file)
          if status == .success || failure == .inputMissing { status = failure }
        }
      }
    }
    return status
  }

  /// Decodes one file; returns whether the file has a frame.
  private mutating func decode(_ file: String) throws(DecodeFailure) -> Bool {
    let name = file == DecodeCommand.standardInput ? "standard input" : file
    let source = try DecodeSource(file == DecodeCommand.standardInput ? nil : file)
    let found = isFrames ? try writeFrames(source) : try writeSolutions(source)
    if found.damage.discardedBytes > 0 {
      complain("\(name): \(DecodeCommand.summary(of: found.damage))")
    }
    if found.frames.total == 0 {
      complain("\(name): no frame of UBX, NMEA or RTCM is in it")
    } else if found.epochs?.count == 0 {
      complain("\(name): \(DecodeCommand.withoutPositions(found.frames))")
    } else if let epochs = found.epochs, epochs.positions == 0 {
      complain("\(name): \(epochs.withoutPositions)")
    }
    return found.frames.total > 0
  }

  /// The content of a file.
  private struct Found {
    var frames = FrameCounts()
    /// nil if frames are listed.
    var epochs: DecodedEpochs?
    var damage = Damage()
  }

  private mutating func writeSolutions(_ source: borrowing DecodeSource) throws(DecodeFailure)
    -> Found
  {
    var decoder = StreamDecoder(publication: .whenEnded)
    var epochs = DecodedEpochs()
    var failure: DecodeFailure?
    let isLive = source.isLive
    do throws(DecodeFailure) {
      try source.readAll { bytes throws(DecodeFailure) in
        decoder.append(bytes)
        try write(from: &decoder, &epochs)
        if isLive { try output.flush() }
      }
    } catch {
      failure = error
    }
    // The bytes before a failure of the input are decoded to their end.
    if failure?.isOfInput ?? true {
      decoder.finish()
      try write(from: &decoder, &epochs)
      try output.flush()
    }
    if let failure { throw failure }
    return Found(frames: decoder.frameCounts, epochs: epochs, damage: decoder.damage)
  }

  private mutating func write(
    from decoder: inout StreamDecoder, _ epochs: inout DecodedEpochs
  ) throws(DecodeFailure) {
    while let solution = decoder.nextSolution() {
      epochs.take(solution)
      try output.write(solution)
    }
  }

  private mutating func writeFrames(_ source: borrowing DecodeSource) throws(DecodeFailure)
    -> Found
  {
    var parser = FrameParser()
    var found = Found()
    var failure: DecodeFailure?
    let isLive = source.isLive
    do throws(DecodeFailure) {
      try source.readAll { bytes throws(DecodeFailure) in
        parser.append(bytes)
        try write(from: &parser, &found.frames)
        if isLive { try output.flush() }
      }
    } catch {
      failure = error
    }
    if failure?.isOfInput ?? true {
      parser.finish()
      try write(from: &parser, &found.frames)
      try output.flush()
    }
    if let failure { throw failure }
    found.damage = parser.damage
    return found
  }

  private mutating func write(
    from parser: inout FrameParser, _ counts: inout FrameCounts
  ) throws(DecodeFailure) {
    while let frame = parser.next() {
      counts.count(frame.kind)
      try output.write(frame, address: parser.address(of: frame))
    }
  }

  /// The sentence for frames without an epoch.
  static func withoutPositions(_ frames: FrameCounts) -> String {
    let counts = [(frames.ubx, "UBX"), (frames.nmea, "NMEA"), (frames.rtcm, "RTCM")]
      .filter { $0.0 > 0 }.map { "\($0.0) of \($0.1)" }.joined(separator: ", ")
    let reason =
      frames.total == frames.rtcm
      ? "RTCM carries corrections and no position" : "none of their kinds has one"
    return "no position is in its frames (\(counts)): \(reason)"
  }

  /// The paragraphs of the command's help.
  static let details = [
    "Prints what recordings of receiver bytes (UBX, NMEA 0183, RTCM 3, mixed or not) say: one JSON object a line for each "
      + "epoch, or for each frame its kind, offset, length and message. FILE may be compressed with gzip; - is standard input. "
      + "Discarded bytes are reported on standard error, with the reason.",
    "Exit status: 0 done, 1 the output failed, 64 usage, 65 no frame is in an input or it cannot be decompressed, 66 an input "
      + "cannot be read. Keys: SPEC-json.md; receivers that were tried: RECEIVERS.md.",
  ]

  /// Text such as `62 bytes discarded: 3 times wrong UBX checksum (55), 1 time noise (7)`.
  static func summary(of damage: Damage) -> String {
    let parts = Damage.Cause.allCases.filter { damage[$0].bytes > 0 }.map { cause in
      let count = damage[cause]
      let times = CountText.words(count.occurrences, "time")
      return "\(times) \(cause.words) (\(count.bytes))"
    }
    let bytes = CountText.words(damage.discardedBytes, "byte")
    return "\(bytes) discarded: " + parts.joined(separator: ", ")
  }
}

/// The number of epochs of a file, and what they have.
private struct DecodedEpochs {
  private(set) var count = 0
  /// The epochs with a position.
  private(set) var positions = 0
  /// The epochs with a fix.
  private var fixes = 0
  /// The epochs whose fix is far from the surface of the Earth.
  private var implausible = 0

  mutating func take(_ solution: NavigationSolution) {
    count += 1
    if solution.hasPosition { positions += 1 }
    if solution.isPositionImplausible { implausible += 1 } else if solution.isFixOK { fixes += 1 }
  }

  /// The sentence for epochs without a position.
  var withoutPositions: String {
    let reason =
      if fixes > 0 {
        // The decoder drops the position of an epoch whose sentences contradict each other.
        "the receiver reports a fix, but the positions of an epoch's messages are missing "
          + "or contradict each other"
      } else if implausible > 0 {
        "the receiver reports a fix, but its coordinates (NAV-SOL) are far from the surface of "
          + "the Earth"
      } else {
        "the receiver reports no fix"
      }
    return "no position is in its \(count == 1 ? "only epoch" : "\(count) epochs"): \(reason)"
  }
}

/// The reason why decoding of a file ended early.
enum DecodeFailure: Error, Equatable {
  case input(Errno)
  /// The compression format is not supported.
  case compressed(Compression)
  /// The fault of the content, for a person.
  case damaged(String)
  case output(Errno)

  /// Whether the output can still be written.
  var isOfInput: Bool {
    switch self {
    case .input, .compressed, .damaged: true
    case .output: false
    }
  }

  /// Reports a failure of the input on standard error; returns the exit status.
  func reported(of file: String) -> ExitStatus {
    switch self {
    case .input(let reason):
      complain("\(file): \(reason)")
      return .inputMissing
    case .compressed(let format):
      complain(
        "\(file): it is compressed in a way that decode cannot read; "
          + "'\(format.command) FILE | binnacle decode -' reads it")
      return .dataDamaged
    case .damaged(let sentence):
      complain("\(file): \(sentence)")
      return .dataDamaged
    case .output(let reason):
      complain("standard output: \(reason)")
      return .failure
    }
  }
}

extension Damage.Cause {
  /// The text in the summary for people.
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
