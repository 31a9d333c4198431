import BinnacleBasics

/// Properties of NAV-SOL and of the other messages in its epoch: the data of generations 6 and 7 without NAV-PVT.
///
/// The properties hold in gpsd-gen7-gr701w-fixloss.log, pyubx2-mixed.log and gpsd-ublox8-uniqid-monhw.log.
enum SolutionChecks {
  static func violations(in frames: [RecordedFrame]) -> [ReceiverChecks.Violation] {
    var violations: [ReceiverChecks.Violation] = []
    var solution: Solution?
    var clock: Clock?
    for frame in frames where frame.kind == .ubx && frame.messageClass == 0x01 {
      func check(_ property: String, _ holds: Bool) {
        guard !holds else { return }
        violations.append(
          .init(
            property: property, offset: frame.offset,
            detail: "\(frame.payload) \(solution.map { "\($0)" } ?? "")"))
      }
      if let found = Solution(frame) {
        for property in properties { check(property.name, property.holds(found)) }
        if let last = solution { checkPair(last, found, check) }
        solution = found
      } else if let found = Clock(frame) {
        if let clock { check("NAV-CLOCK drifts as it says", found.follows(clock)) }
        clock = found
      } else if let solution, solution.iTOW == timeOfWeek(frame) {
        checkCompanion(frame, solution, check)
      }
    }
    return violations
  }

  // MARK: - Properties of NAV-SOL

  private struct Property: Sendable {
    var name: String
    var holds: @Sendable (Solution) -> Bool

    init(_ name: String, _ holds: @escaping @Sendable (Solution) -> Bool) {
      self.name = name
      self.holds = holds
    }
  }

  private static let properties: [Property] = [
    Property("gpsFixOK needs a fix and its accuracy") {
      !$0.isFixOK || ((2...5).contains($0.fixType) && $0.positionAccuracy != UInt32.max)
    },
    Property("a solution of two dimensions has 3 satellites, of three 4") {
      ($0.fixType != 2 || $0.satelliteCount >= 3) && ($0.fixType != 3 || $0.satelliteCount >= 4)
    },
    Property("without a fix the DOP of NAV-SOL is unknown") {
      $0.fixType != 0 || $0.positionDOP == 9_999
    },
    Property("the fraction is less than half a millisecond") {
      (-500_000...500_000).contains($0.fraction)
    },
    // From ten kilometers below the ground to ten kilometers above the ground.
    Property("a good fix lies on the globe") {
      !$0.isFixOK || (6_340_000...6_390_000).contains($0.radius)
    },
    Property("the accuracy of a good NAV-SOL is at most 200 m") {
      !$0.isFixOK || $0.positionAccuracy <= 20_000
    },
  ]

  private static func checkPair(
    _ last: Solution, _ next: Solution, _ check: (String, Bool) -> Void
  ) {
    check("the time of week of NAV-SOL goes forward", next.iTOW > last.iTOW)
    guard last.isFixOK, next.isFixOK, next.iTOW > last.iTOW, next.iTOW - last.iTOW <= 1_000
    else { return }
    let allowed =
      max(last.speed, next.speed) * 1.5 + Double(max(last.positionAccuracy, next.positionAccuracy))
    check(
      "solutions in a row are closer together than their accuracies allow",
      last.way(to: next) <= allowed)
  }

  // MARK: - Messages beside NAV-SOL

  private static func timeOfWeek(_ frame: RecordedFrame) -> UInt32? {
    var reader = ByteReader(frame.payload)
    return reader.u32()
  }

  private static func checkCompanion(
    _ frame: RecordedFrame, _ solution: Solution, _ check: (String, Bool) -> Void
  ) {
    let payload = frame.payload
    switch frame.id {
    case 0x01:
      check(
        "NAV-POSECEF is NAV-SOL's", payload.count == 20 && payload[4...] == solution.bytes[12..<28])
    case 0x11:
      check(
        "NAV-VELECEF is NAV-SOL's", payload.count == 20 && payload[4...] == solution.bytes[28..<44])
    case 0x04:
      check(
        "NAV-DOP agrees with NAV-SOL",
        payload.count == 18 && payload[6...7] == solution.bytes[44...45])
    case 0x02: check("NAV-POSLLH agrees with NAV-SOL", solution.isAt(payload))
    case 0x12: check("NAV-VELNED agrees with NAV-SOL", solution.moves(payload))
    case 0x20:
      check(
        "NAV-TIMEGPS agrees with NAV-SOL",
        payload.count == 16 && solution.isAsLate(payload) && payload[8...9] == solution.bytes[8...9]
      )
    case 0x30:
      check("NAV-SVINFO is well formed", isWellFormed(payload))
      check("NAV-SVINFO agrees with NAV-SOL", !solution.isFixOK || solution.uses(payload))
    default: break
    }
  }

  private static func isWellFormed(_ payload: [UInt8]) -> Bool {
    guard payload.count >= 8, payload.count == 8 + 12 * Int(payload[4]), payload[5] <= 4
    else { return false }
    return stride(from: 8, to: payload.count, by: 12).allSatisfy { start in
      let isUsed = payload[start + 2] & 1 != 0
      return payload[start + 3] <= 7
        && (!isUsed || (payload[start + 3] >= 4 && payload[start + 4] > 0))
    }
  }
}

/// The fields of a recorded NAV-SOL.
private struct Solution: CustomStringConvertible {
  var bytes: [UInt8]

  init?(_ frame: RecordedFrame) {
    guard frame.id == 0x06, frame.payload.count == 52 else { return nil }
    bytes = frame.payload
  }

  private func u32(_ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  private func i32(_ offset: Int) -> Double { Double(Int32(bitPattern: u32(offset))) }

  var iTOW: UInt32 { u32(0) }
  var fraction: Int32 { Int32(bitPattern: u32(4)) }
  var fixType: UInt8 { bytes[10] }
  var isFixOK: Bool { bytes[11] & 1 != 0 }
  /// Centimeters.
  var positionAccuracy: UInt32 { u32(24) }
  var positionDOP: UInt16 { UInt16(bytes[44]) | UInt16(bytes[45]) << 8 }
  var satelliteCount: UInt8 { bytes[47] }
  /// Meters from the earth's center.
  var radius: Double { length(12, 16, 20) / 100 }
  /// Centimeters per second.
  var speed: Double { length(28, 32, 36) }

  private func length(_ offsets: Int...) -> Double {
    offsets.reduce(0) { $0 + i32($1) * i32($1) }.squareRoot()
  }

  /// Centimeters.
  func way(to other: Solution) -> Double {
    [12, 16, 20].reduce(0) {
      let step = other.i32($1) - i32($1)
      return $0 + step * step
    }.squareRoot()
  }

  private static func numbers(_ payload: [UInt8], _ count: Int) -> [Int32]? {
    var reader = ByteReader(Array(payload.dropFirst(4)))
    var numbers: [Int32] = []
    for _ in 0..<count {
      guard let number = reader.i32() else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  func isAt(_ payload: [UInt8]) -> Bool {
    guard payload.count == 28, let told = Solution.numbers(payload, 3) else { return false }
    let place = Ellipsoid.earthCentered(
      latitude: Double(told[1]) / 1e7, longitude: Double(told[0]) / 1e7,
      height: Double(told[2]) / 1e3)
    return zip([12, 16, 20], [place.x, place.y, place.z]).allSatisfy {
      (i32($0) - $1 * 100).magnitude <= 2
    }
  }

  func moves(_ payload: [UInt8]) -> Bool {
    guard payload.count == 36, let told = Solution.numbers(payload, 7) else { return false }
    return (Double(told[3]) - speed).magnitude <= 2 && Double(told[6]) == i32(40)
  }

  /// Two fractions of one epoch differ by nanoseconds in gpsd-ublox8-uniqid-monhw.log.
  func isAsLate(_ payload: [UInt8]) -> Bool {
    guard let told = Solution.numbers(payload, 1) else { return false }
    return (Int64(told[0]) - Int64(fraction)).magnitude <= 2
  }

  func uses(_ payload: [UInt8]) -> Bool {
    let used = stride(from: 8, to: payload.count, by: 12).filter { payload[$0 + 2] & 1 != 0 }
    return used.count == Int(satelliteCount)
  }

  var description: String { "NAV-SOL \(bytes)" }
}

/// Bias and drift of NAV-CLOCK.
private struct Clock {
  var iTOW: UInt32
  /// Nanoseconds.
  var bias: Int32
  /// Nanoseconds per second.
  var drift: Int32
  var isKnown: Bool

  init?(_ frame: RecordedFrame) {
    guard frame.id == 0x22, frame.payload.count == 20 else { return nil }
    var reader = ByteReader(frame.payload)
    guard let iTOW = reader.u32(), let bias = reader.i32(), let drift = reader.i32(),
      let accuracy = reader.u32()
    else { return nil }
    self.iTOW = iTOW
    self.bias = bias
    self.drift = drift
    isKnown = accuracy < 1_000
  }

  /// The bias jumps by whole milliseconds when the receiver sets its clock.
  func follows(_ last: Clock) -> Bool {
    guard isKnown, last.isKnown, iTOW > last.iTOW, iTOW - last.iTOW <= 1_000 else { return true }
    let way = Double(bias) - Double(last.bias)
    let expected = Double(last.drift) * Double(iTOW - last.iTOW) / 1_000
    let rest = (way - expected).truncatingRemainder(dividingBy: 1e6).magnitude
    return min(rest, 1e6 - rest) <= 60
  }
}
