import BinnacleBasics

/// Properties of every stream of a real u-blox receiver; the simulator's output must have the same properties.
///
/// Each property holds in all recordings of `data/ublox`. A recording that violates a property proves the property
/// wrong.
public enum ReceiverChecks {
  /// A violated property and its place.
  public struct Violation: Equatable, Sendable, CustomStringConvertible {
    public var property: String
    public var offset: Int
    public var detail: String
    public var description: String { "\(property) at byte \(offset): \(detail)" }
  }

  /// All violations in a stream.
  public static func violations(in frames: [RecordedFrame]) -> [Violation] {
    singleEpochViolations(in: frames) + sequenceViolations(in: frames)
      + EpochChecks.violations(in: frames) + CompanionChecks.violations(in: frames)
      + SolutionChecks.violations(in: frames)
      + SentenceChecks.violations(in: frames)
      + AnswerChecks.violations(in: frames)
  }

  // MARK: - Properties of one NAV-PVT

  /// A property of one NAV-PVT.
  private struct Property: Sendable {
    var name: String
    var holds: @Sendable (RecordedPVT) -> Bool

    init(_ name: String, _ holds: @escaping @Sendable (RecordedPVT) -> Bool) {
      self.name = name
      self.holds = holds
    }
  }

  private static let properties: [Property] = [
    Property("the calendar is in its ranges") {
      (1...12).contains($0.month) && (1...31).contains($0.day) && $0.hour < 24 && $0.minute < 60
        && $0.second <= 60
    },
    Property("nano is within a second") { (-1_000_000_000...1_000_000_000).contains($0.nano) },
    Property("fully resolved means date and time valid") {
      $0.valid & 4 == 0 || $0.valid & 3 == 3
    },
    Property("UTC is the time of week less 18 leap seconds") { pvt in
      guard pvt.isTimeKnown, pvt.isFixOK else { return true }
      let ofDay =
        (Int64(pvt.hour) * 3_600 + Int64(pvt.minute) * 60 + Int64(pvt.second)) * 1_000
        + Int64(pvt.nano) / 1_000_000
      let ofWeek = (Int64(pvt.iTOW) - 18_000 - ofDay) % 86_400_000
      let difference = (ofWeek + 86_400_000) % 86_400_000
      return difference <= 2 || difference >= 86_399_998
    },
    Property("fixType is 0 to 5") { $0.fixType <= 5 },
    Property("gnssFixOK needs a fix and its accuracy") {
      !$0.isFixOK || ((2...5).contains($0.fixType) && $0.horizontalAccuracy != UInt32.max)
    },
    Property("two dimensions need 3 satellites, three need 4") {
      ($0.fixType != 2 || $0.satelliteCount >= 3) && ($0.fixType != 3 || $0.satelliteCount >= 4)
    },
    Property("fixType 0 uses no satellites") { $0.fixType != 0 || $0.satelliteCount == 0 },
    Property("a fix has a position") { !(2...4).contains($0.fixType) || !$0.hasNoPosition },
    // The converse does not hold: gnssvis-coldstart.ubx has ten epochs with a position kilometers above the ground and
    // an unknown accuracy, just before the first fix.
    Property("an unknown position has an unknown accuracy") {
      !$0.hasNoPosition || $0.horizontalAccuracy == UInt32.max
    },
    Property("an unknown accuracy has no fix") {
      $0.horizontalAccuracy != UInt32.max || ($0.fixType == 0 && !$0.isFixOK)
    },
    Property("an unknown position has the recorded sentinels") {
      !$0.hasNoPosition
        || ($0.height == 0 && $0.heightMSL == -17_000 && $0.verticalAccuracy == 3_750_000_128
          && $0.speedAccuracy == 20_000 && $0.headingAccuracy == 18_000_000
          && $0.positionDOP == 9_999 && $0.groundSpeed == 0)
    },
    Property("invalidLlh is never set") { $0.flags3 & 1 == 0 },
    Property("without a fix the DOP is unknown") {
      $0.fixType != 0 || $0.positionDOP == 9_999
    },
    Property("ground speed is the length of the velocity") { pvt in
      let north = Double(pvt.velocityNorth)
      let east = Double(pvt.velocityEast)
      let difference = Double(pvt.groundSpeed) - (north * north + east * east).squareRoot()
      return difference.magnitude <= 1.5
    },
    Property("heading and its accuracy are in their ranges") {
      (0..<36_000_000).contains($0.headingOfMotion) && $0.headingAccuracy <= 18_000_000
    },
    // The maximum is 20.031 m/s in gnssvis-coldstart.ubx.
    Property("speed accuracy is at most 21 m/s") { $0.speedAccuracy <= 21_000 },
    Property("accuracies of a good fix are a millimeter to 100 m") {
      !$0.isFixOK
        || ((1...100_000).contains($0.horizontalAccuracy)
          && (1...150_000).contains($0.verticalAccuracy))
    },
    Property("the geoid is within 110 m of the ellipsoid") {
      ($0.height - $0.heightMSL).magnitude <= 110_000
    },
    Property("latitude and longitude are on the globe") {
      $0.latitude.magnitude <= 900_000_000 && $0.longitude.magnitude <= 1_800_000_000
    },
    Property("good epochs lie on a grid of 25 ms") {
      !($0.isFixOK && $0.isTimeKnown) || $0.iTOW % 25 == 0
    },
    Property("the time of week is within a week") { $0.iTOW < 604_800_000 },
  ]

  private static func singleEpochViolations(in frames: [RecordedFrame]) -> [Violation] {
    var violations: [Violation] = []
    for frame in frames {
      guard frame.kind == .ubx, frame.messageClass == 0x01, frame.id == 0x07,
        !frame.payload.isEmpty
      else { continue }
      guard let pvt = RecordedPVT(frame), [84, 92].contains(frame.payload.count) else {
        violations.append(
          Violation(
            property: "NAV-PVT has 84 or 92 bytes", offset: frame.offset,
            detail: "\(frame.payload.count)"))
        continue
      }
      for property in properties where !property.holds(pvt) {
        violations.append(
          Violation(property: property.name, offset: frame.offset, detail: "\(pvt)"))
      }
    }
    return violations
  }

  // MARK: - Properties of two consecutive NAV-PVT

  private static func sequenceViolations(in frames: [RecordedFrame]) -> [Violation] {
    var violations: [Violation] = []
    var last: RecordedPVT?
    for frame in frames {
      guard let pvt = RecordedPVT(frame) else { continue }
      defer { last = pvt }
      guard let last else { continue }
      func check(_ property: String, _ holds: Bool) {
        guard !holds else { return }
        violations.append(
          Violation(property: property, offset: frame.offset, detail: "\(last) then \(pvt)"))
      }
      check("the time of week goes forward", pvt.iTOW > last.iTOW)
      check(
        "the heading is frozen below 0.1 m/s",
        pvt.groundSpeed >= 95 || pvt.headingOfMotion == last.headingOfMotion
          || pvt.iTOW > last.iTOW + 2_000)
      check(
        "fixes in a row are closer together than their accuracies allow",
        !(pvt.isFixOK && last.isFixOK && pvt.iTOW - last.iTOW <= 1_000)
          || step(from: last, to: pvt) <= allowedStep(from: last, to: pvt))
    }
    return violations
  }

  private static func step(from: RecordedPVT, to: RecordedPVT) -> Double {
    Ellipsoid.distance(
      from: (Double(from.latitude) / 1e7, Double(from.longitude) / 1e7),
      to: (Double(to.latitude) / 1e7, Double(to.longitude) / 1e7))
  }

  /// The distance at the greater speed, and half of the greater accuracy for noise.
  private static func allowedStep(from: RecordedPVT, to: RecordedPVT) -> Double {
    let speed = Double(max(from.groundSpeed, to.groundSpeed)) / 1_000
    let accuracy = Double(max(from.horizontalAccuracy, to.horizontalAccuracy)) / 1_000
    return speed * Double(to.iTOW - from.iTOW) / 1_000 * 1.5 + accuracy * 0.5 + 0.1
  }
}
