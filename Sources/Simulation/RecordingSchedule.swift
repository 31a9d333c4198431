public import BinnacleBasics

/// The departure time of each byte of a recording, so that playback has the pace of the original.
///
/// Epochs are found by the time of week of NAV messages and by the times of NMEA sentences. The bytes of an epoch
/// follow each other at the speed of the line. A recording without times plays at the speed of the line.
public struct RecordingSchedule: Sendable {
  /// Bytes that leave together.
  public struct Piece: Equatable, Sendable {
    public var range: Range<Int>
    /// The time since the start of the recording.
    public var due: Interval
  }

  public let pieces: [Piece]
  /// The duration of one round, up to the start of the next round.
  public let duration: Interval
  /// The number of epochs with a time.
  public let epochCount: Int

  /// Longer pauses and jumps of the clock (a receiver that learns the time) play as one second.
  private static let gapMax = Interval.seconds(60)
  private static let chunk = 8

  /// - Parameters:
  ///   - bytes: the recording.
  ///   - factor: the factor by which playback is faster than real time.
  ///   - lineSpeed: the line's speed in baud at factor 1.
  public init(of bytes: [UInt8], factor: Double = 1, lineSpeed: Int = 115_200) {
    precondition(factor > 0, "time must go on")
    let starts = RecordingSchedule.epochStarts(in: bytes)
    let nanosecondsPerByte = 1e10 / Double(lineSpeed) / factor
    var pieces: [Piece] = []
    var free = 0.0
    func append(_ range: Range<Int>, notBefore time: Double) {
      free = max(free, time)
      for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.chunk) {
        let end = min(start + Self.chunk, range.upperBound)
        free += Double(end - start) * nanosecondsPerByte
        pieces.append(
          Piece(range: start..<end, due: Interval(nanoseconds: Int64(free))))
      }
    }
    append(0..<(starts.first?.offset ?? bytes.count), notBefore: 0)
    var time = 0.0
    var gap = 1e9
    for (index, start) in starts.enumerated() {
      if index > 0 {
        let passed = start.time - starts[index - 1].time
        let isPlayable = passed > .zero && passed <= Self.gapMax
        gap = isPlayable ? Double(passed.nanoseconds) : 1e9
        time += gap / factor
      }
      let end = index + 1 < starts.count ? starts[index + 1].offset : bytes.count
      append(start.offset..<end, notBefore: time)
    }
    self.pieces = pieces
    epochCount = starts.count
    let end = starts.isEmpty ? free : max(free, time + gap / factor)
    duration = Interval(nanoseconds: Int64(end))
  }

  private struct Start {
    var offset: Int
    /// Milliseconds of the week or of the day, as an interval.
    var time: Interval
  }

  /// The first frame of each epoch.
  ///
  /// UBX takes precedence: the sentences of an epoch carry the time of the day, and UBX messages carry the time of
  /// week.
  private static func epochStarts(in bytes: [UInt8]) -> [Start] {
    let frames = RecordedFrame.frames(in: bytes)
    let timesOfWeek = frames.compactMap(timeOfWeek)
    if !timesOfWeek.isEmpty { return changes(timesOfWeek) }
    return changes(frames.compactMap(timeOfDay))
  }

  private static func changes(_ starts: [Start]) -> [Start] {
    var changes: [Start] = []
    for start in starts where changes.last?.time != start.time { changes.append(start) }
    return changes
  }

  private static func timeOfWeek(_ frame: RecordedFrame) -> Start? {
    guard frame.kind == .ubx, frame.messageClass == 0x01 else { return nil }
    var reader = ByteReader(frame.payload)
    // NAV-HPPOSLLH and NAV-RELPOSNED begin with a version, the other messages with the time of week.
    if [0x13, 0x14, 0x3C].contains(frame.id) { _ = reader.u32() }
    guard ![0x34, 0x39, 0x3B, 0x3D, 0x60].contains(frame.id), let milliseconds = reader.u32()
    else { return nil }
    return Start(offset: frame.offset, time: .milliseconds(Int64(milliseconds)))
  }

  private static func timeOfDay(_ frame: RecordedFrame) -> Start? {
    guard frame.kind == .nmea, frame.payload.count > 12 else { return nil }
    let text = String(decoding: frame.payload, as: UTF8.self)
    let fields = text.split(separator: ",", omittingEmptySubsequences: false)
    let position =
      switch text.dropFirst(2).prefix(3) {
      case "RMC", "GGA", "ZDA", "GST", "GBS": 1
      case "GLL": 5
      default: 0
      }
    guard position > 0, fields.count > position else { return nil }
    let digits = fields[position].split(separator: ".")
    guard let whole = digits.first, whole.count == 6, let number = Int64(whole) else { return nil }
    let seconds = number / 10_000 * 3_600 + number / 100 % 100 * 60 + number % 100
    var milliseconds: Int64 = 0
    if digits.count == 2, let fraction = Int64(digits[1].prefix(3)) {
      milliseconds = fraction * [1_000, 100, 10, 1][min(3, digits[1].count)]
    }
    return Start(offset: frame.offset, time: .seconds(seconds) + .milliseconds(milliseconds))
  }
}
