import BinnacleBasics

/// The solutions of a real receiver that did not move, for any duration.
///
/// The solutions (NAV-PVT with gnssFixOK) of a recording are played forwards, backwards and forwards again. Every step
/// from one solution to the next is therefore a recorded step, and there is none where the rounds meet. Only times and,
/// on the way back, the signs of velocities are replaced.
struct RestJitter: Equatable, Sendable {
  /// Fewer solutions give no usable jitter.
  private static let solutionsMin = 10

  private let payloads: [[UInt8]]
  private let firstWeekMilliseconds: UInt32
  private let firstTime: UTCTime
  private var index = 0
  private var isBackwards = false
  private var played: Int64 = 0
  /// The time from one solution to the next.
  let period: Interval

  /// Returns nil when a recording has hardly any solutions.
  init?(log bytes: [UInt8]) {
    var payloads: [[UInt8]] = []
    var solutions: [RecordedPVT] = []
    for frame in RecordedFrame.frames(in: bytes) {
      // Type 5 is a time without a position (UBX-21035062, UBX-NAV-PVT).
      guard let solution = RecordedPVT(frame), solution.isFixOK, solution.isTimeKnown,
        (2...4).contains(solution.fixType)
      else { continue }
      payloads.append(frame.payload)
      solutions.append(solution)
    }
    guard solutions.count >= RestJitter.solutionsMin, let first = solutions.first,
      let time = UTCTime(
        year: Int(first.year), month: Int(first.month), day: Int(first.day),
        hour: Int(first.hour), minute: Int(first.minute), second: Int(first.second))
    else { return nil }
    let steps = zip(solutions, solutions.dropFirst()).map { pair in
      Int64(pair.1.iTOW) - Int64(pair.0.iTOW)
    }.filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return nil }
    period = .milliseconds(steps[steps.count / 2])
    firstWeekMilliseconds = first.iTOW
    firstTime = time
    self.payloads = payloads
  }

  /// The number of recorded solutions.
  var solutionCount: Int { payloads.count }

  /// The frame of the next solution.
  mutating func next() -> [UInt8] {
    var payload = payloads[index]
    let elapsed = period * played
    let time = firstTime + elapsed
    let calendar = time.calendar
    let week = Int64(firstWeekMilliseconds) + elapsed.nanoseconds / 1_000_000
    put(UInt32(week % GPSTime.weekMilliseconds), at: 0, in: &payload)
    payload[4] = UInt8(calendar.year & 0xFF)
    payload[5] = UInt8(calendar.year >> 8)
    for (place, number) in [
      calendar.month, calendar.day, calendar.hour, calendar.minute, calendar.second,
    ].enumerated() {
      payload[6 + place] = UInt8(number)
    }
    put(UInt32(time.nanoseconds), at: 16, in: &payload)
    if isBackwards {
      // velN, velE, velD (UBX-21035062, UBX-NAV-PVT).
      for place in [48, 52, 56] { negate(at: place, in: &payload) }
    }
    played += 1
    if isBackwards ? index == 0 : index == payloads.count - 1 { isBackwards.toggle() }
    index += isBackwards ? -1 : 1
    return ReceiverFrame.ubx(0x01, 0x07, payload)
  }

  private func put(_ number: UInt32, at place: Int, in payload: inout [UInt8]) {
    for byte in 0..<4 {
      payload[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(byte)))
    }
  }

  private func negate(at place: Int, in payload: inout [UInt8]) {
    var number: UInt32 = 0
    for byte in (0..<4).reversed() { number = number << 8 | UInt32(payload[place + byte]) }
    put(0 &- number, at: place, in: &payload)
  }
}
