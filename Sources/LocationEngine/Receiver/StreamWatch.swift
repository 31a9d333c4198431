import BinnacleBasics
import UBX

/// Detects that the receiver's line carries bytes but no position, or mostly damaged bytes, and determines the cause.
struct StreamWatch: Equatable, Codable, Sendable {
  /// The cause of missing positions.
  enum Trouble: Equatable, Sendable {
    /// Solutions come, and all recent ones were rejected, the last one for this cause.
    case rejected(Rejection)
    /// Whole messages come, and none of them carries a position.
    case withoutPosition(Kinds)
    /// Sentences come, and all of them contain this time of day.
    case clockStandsStill(time: String)
    /// The first bytes of a compressed file came, and no message.
    case compressed(Compression)
    /// Too few bytes for a message came in 10 s.
    case trickle(bytes: Int)
    /// Bytes come, and no message is in them.
    case garbled
    /// Whole messages come, and most bytes belong to none of them.
    case mostlyDamaged(percent: Int)
  }

  /// Kinds of messages.
  struct Kinds: OptionSet, Equatable, Codable, Sendable {
    let rawValue: UInt8
    static let ubx = Kinds(rawValue: 1)
    static let nmea = Kinds(rawValue: 2)
    static let rtcm = Kinds(rawValue: 4)
  }

  /// A format of compressed files, recognized by its first bytes.
  enum Compression: String, CaseIterable, Codable, Sendable {
    case gzip, zstd, xz, zip

    /// gzip with its one method: RFC 1952, section 2.3.1; zstd: RFC 8878, section 3.1.1; xz: the .xz file format 1.2.1,
    /// section 2.1.1.1; zip: APPNOTE 6.3.10, section 4.3.7.
    var beginning: [UInt8] {
      switch self {
      case .gzip: [0x1F, 0x8B, 0x08]
      case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
      case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]
      case .zip: [0x50, 0x4B, 0x03, 0x04]
      }
    }
  }

  /// How long a fault has to last before it is reported.
  private static let patience = Interval.seconds(10)
  /// A receiver that has just started has no fix for this time.
  private static let patienceWithoutFix = Interval.seconds(60)
  /// Fewer bytes than this in `patience` are a trickle: the shortest epoch of NMEA has some 70 bytes a second.
  private static let trickleBytesMax = 200
  /// A receiver that works has sent the next second of its clock by then.
  private static let solutionLateAfter = Interval.seconds(2)
  /// A receiver's clock stands still if its time stays the same for this long.
  private static let standstillMin = Interval.seconds(5)
  /// `hhmmss` with nine decimals.
  private static let timeLengthMax = 16
  /// A line with more damaged bytes than this, in percent, explains missing positions.
  private static let damagedPercentMax = 50
  /// Receivers send once a second, unless a longer pause shows another interval.
  private static let pauseMin = Interval.seconds(1)
  /// How much longer than the longest pause a silence lasts.
  private static let silenceSlack = Interval.seconds(4)

  /// The first byte since the last whole message; nil: none came.
  private var bytesSince: Instant?
  private var bytesAt: Instant?
  /// The longest pause between two reads that was no silence.
  private var pauseMax = StreamWatch.pauseMin
  private var windowStart = Instant.zero
  private var windowBytes = 0
  /// The counts of the last whole window.
  private var lastWindowBytes = 0
  /// The last bytes, which may contain the start of a file's first bytes.
  private var tail: [UInt8] = []
  private var compression: Compression?
  private var frameAt: Instant?
  /// The kinds of messages since the last solution, and the time of the first one.
  private var kinds: Kinds = []
  private var kindsSince: Instant?
  private var solutionAt: Instant?
  /// The time of day of the last sentence and since when it is the same; followed while no solution comes.
  private var timeOfDay: String?
  private var timeOfDaySince = Instant.zero
  /// Why the last solution was rejected, and since when all solutions were rejected.
  private var rejection: Rejection?
  private var rejectedSince: Instant?
  private var damage = DamageWatch()
  /// When the last solution with a known validity was rejected.
  private var judgedAt: Instant?

  // MARK: Inputs

  mutating func bytesArrived(_ bytes: [UInt8], at now: Instant) {
    // After a pause all counts restart.
    if let bytesAt, now - bytesAt <= StreamWatch.patience {
      pauseMax = max(pauseMax, now - bytesAt)
    } else {
      forgetBytes(at: now)
    }
    bytesAt = now
    if now - windowStart >= StreamWatch.patience {
      lastWindowBytes = windowBytes
      windowStart = now
      windowBytes = 0
    }
    windowBytes &+= bytes.count
    if bytesSince == nil { bytesSince = now }
    guard compression == nil, frameAt == nil || isLongAgo(frameAt, at: now) else { return }
    let seen = tail + bytes
    compression = Compression.allCases.first { StreamWatch.has($0.beginning, in: seen) }
    tail = Array(seen.suffix(5))
  }

  /// A read was parsed: the decoder's counts of bytes in messages and of discarded bytes.
  mutating func bytesCounted(wholeBytes: Int, damagedBytes: Int, at now: Instant) {
    damage.bytesCounted(wholeBytes: wholeBytes, damagedBytes: damagedBytes, at: now)
  }

  mutating func speedChanged(at now: Instant) { damage.speedChanged(at: now) }

  mutating func messageArrived(_ message: Message, at now: Instant) {
    frameAt = now
    bytesSince = nil
    compression = nil
    tail = []
    let kind: Kinds =
      switch message {
      case .nmea: .nmea
      case .rtcm: .rtcm
      case _: .ubx
      }
    kinds.insert(kind)
    if kindsSince == nil { kindsSince = now }
    let isLate = solutionAt.map { now - $0 >= StreamWatch.solutionLateAfter } ?? true
    if isLate, case .nmea(let sentence) = message {
      follow(sentence.timeField, at: now)
    }
  }

  private mutating func follow(_ time: Substring?, at now: Instant) {
    guard let time = time?.prefix(StreamWatch.timeLengthMax),
      timeOfDay.map({ $0 != time }) ?? true
    else { return }
    timeOfDay = String(time)
    timeOfDaySince = now
  }

  /// An epoch was completed, with a fix or without.
  mutating func solutionArrived(at now: Instant) {
    solutionAt = now
    timeOfDay = nil
    kinds = []
    kindsSince = nil
  }

  mutating func rejected(_ cause: Rejection, at now: Instant) {
    if rejectedSince == nil { rejectedSince = now }
    // A receiver may send NAV-STATUS less often than positions: the epochs with NAV-STATUS then have the cause.
    if cause != .validityUnknown {
      judgedAt = now
    } else if !isLongAgo(judgedAt, at: now) {
      return
    }
    rejection = cause
  }

  mutating func accepted() {
    rejection = nil
    rejectedSince = nil
  }

  /// The line was opened.
  mutating func restarted(at now: Instant) {
    damage.restarted(at: now)
    forgetBytes(at: now)
    bytesAt = nil
    pauseMax = StreamWatch.pauseMin
    kinds = []
    kindsSince = nil
    timeOfDay = nil
    frameAt = nil
  }

  // MARK: The verdict

  /// A line without a byte for this time is silent: some seconds longer than its usual interval.
  var silenceMin: Interval { min(pauseMax + StreamWatch.silenceSlack, StreamWatch.patience) }

  /// - Parameters:
  ///   - isExpected: whether positions are expected: the receiver is neither asleep nor being configured.
  ///   - now: the time.
  /// - Returns: nil if positions come and most of the line is whole, if no bytes come, and before the fault has lasted
  ///   for the time limit.
  func trouble(isExpected: Bool, at now: Instant) -> Trouble? {
    guard !isLongAgo(bytesAt, at: now) else { return nil }
    // Damage also prevents the configuration, so a position need not be expected.
    if !isLongAgo(frameAt, at: now), let percent = damage.percent(at: now),
      percent > StreamWatch.damagedPercentMax
    {
      return .mostlyDamaged(percent: percent)
    }
    guard isExpected else { return nil }
    if let compression { return .compressed(compression) }
    if isLongAgo(frameAt, at: now) {
      guard isLongAgo(bytesSince, at: now), bytesSince != nil else { return nil }
      let count = max(windowBytes, lastWindowBytes)
      return count < StreamWatch.trickleBytesMax ? .trickle(bytes: count) : .garbled
    }
    if let solutionAt, !isLongAgo(solutionAt, at: now) {
      guard let rejection, let rejectedSince else { return nil }
      let patience =
        rejection == .noFix ? StreamWatch.patienceWithoutFix : StreamWatch.patience
      return now - rejectedSince >= patience ? .rejected(rejection) : nil
    }
    guard let kindsSince, now - kindsSince >= StreamWatch.patience, !kinds.isEmpty else {
      return nil
    }
    if let timeOfDay, now - timeOfDaySince >= StreamWatch.standstillMin {
      return .clockStandsStill(time: timeOfDay)
    }
    return .withoutPosition(kinds)
  }

  private func isLongAgo(_ instant: Instant?, at now: Instant) -> Bool {
    instant.map { now - $0 >= StreamWatch.patience } ?? true
  }

  private mutating func forgetBytes(at now: Instant) {
    bytesSince = nil
    windowStart = now
    windowBytes = 0
    lastWindowBytes = 0
    tail = []
    compression = nil
  }

  private static func has(_ beginning: [UInt8], in bytes: [UInt8]) -> Bool {
    guard bytes.count >= beginning.count else { return false }
    return (0...bytes.count - beginning.count).contains { start in
      bytes[start] == beginning[0] && bytes[start...].starts(with: beginning)
    }
  }
}
