import BinnacleBasics

/// The navigation database of a simulated receiver: its records for a poll, and the effect of assistance.
///
/// The content of a record is "firmware specific" (UBX-18010854 and UBX-21035062, UBX-MGA-DBD). Here a record names a
/// satellite and the time of its ephemeris; the rest follows from both and from the chip. A receiver therefore
/// recognizes its own records byte for byte, also in another run with the same seed. No document states how firmware
/// treats a record of another receiver or a wrong time; here the receiver then uses none of the assistance.
struct NavigationStore: Sendable {
  /// The chip's number, on which the records depend.
  let chip: UInt64
  /// Whether the receiver reports the end of a poll with acknowledgements off: the descriptions state both behaviours.
  let alwaysTellsEnd: Bool
  /// The satellites whose ephemerides the receiver accepted; each satellite is listed once.
  private var taken: [[UInt8]] = []
  /// Whether the receiver got a record that it had not written.
  private var hasForeign = false
  private var time = Help.none
  private var position = Help.none

  /// The state of one kind of assistance.
  private enum Help: Equatable, Sendable {
    case none
    case right
    case wrong
  }

  /// The answer of an MGA-ACK to a message: accepted, or the reason of the refusal.
  enum Answer: Equatable, Sendable {
    case accepted
    case timeUnknown
    case wrongSize
    case notStored

    /// type and infoCode (UBX-18010854, UBX-MGA-ACK-DATA0).
    var bytes: (type: UInt8, infoCode: UInt8) {
      switch self {
      case .accepted: (1, 0)
      case .timeUnknown: (0, 1)
      case .wrongSize: (0, 3)
      case .notStored: (0, 4)
      }
    }
  }

  /// The effect of the assistance on a start.
  enum Effect: Equatable, Sendable {
    case none
    /// Time, position, and enough ephemerides that are younger than four hours (Docs/SOURCES.md, U5).
    case hot
    /// At least one item was wrong.
    case spoiled
  }

  private static let satellitesMin = 4
  private static let reservedBytes = 12
  private static let dataBytes = 68
  private static let ephemerisAgeMax: Int64 = 4 * 3_600
  /// Ephemerides are renewed every two hours (IS-GPS-200, 20.3.4.4).
  private static let ephemerisPeriod: Int64 = 7_200

  init(seed: UInt64) {
    var random = Random(seed: seed ^ 0x4D47_412D_4442_4400)
    chip = random.next()
    alwaysTellsEnd = random.chance(0.5)
  }

  /// SEC-UNIQID: five bytes up to M8 (recording gpsd-ublox8-uniqid-monhw.log), six on the M10 (pyubx2 1.4.0).
  func uniqueNumber(byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: chip >> UInt64(8 * $0)) }
  }

  // MARK: Records for a poll

  /// The payloads of MGA-DBD: one for each satellite whose ephemeris is known.
  func records(of satellites: [Satellite], at time: UTCTime) -> [[UInt8]] {
    let period = NavigationStore.ephemerisPeriod
    let issued = time.secondsSince1970 / period * period
    return satellites.map { record(system: $0.system.rawValue, number: $0.number, issued: issued) }
  }

  private func record(system: UInt8, number: UInt8, issued: Int64) -> [UInt8] {
    var writer = ByteWriter()
    var random = Random(
      seed: chip ^ UInt64(system) << 56 ^ UInt64(number) << 48 ^ UInt64(bitPattern: issued))
    func opaque(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    writer.put(opaque(NavigationStore.reservedBytes))
    writer.put([system, number])
    writer.i64(issued)
    writer.put(opaque(NavigationStore.dataBytes - 10))
    return writer.bytes
  }

  // MARK: Assistance

  /// The receiver has started without memory, or with another start: earlier assistance is forgotten.
  mutating func restarted() {
    taken = []
    hasForeign = false
    time = .none
    position = .none
  }

  /// MGA-INI-TIME_UTC: right when the true time lies inside the stated uncertainty.
  mutating func timeTold(_ told: UTCTime, within accuracy: Interval, at truth: UTCTime) -> Answer {
    let error = told - truth
    time = error <= accuracy && Interval.zero - accuracy <= error ? .right : .wrong
    return .accepted
  }

  /// MGA-INI-POS_LLH: right when the true position lies inside the stated uncertainty.
  mutating func positionTold(metersFromTruth: Double, within accuracyMeters: Double) -> Answer {
    position = metersFromTruth <= accuracyMeters ? .right : .wrong
    return .accepted
  }

  /// MGA-DBD with a payload.
  mutating func recordTold(_ payload: [UInt8], at truth: UTCTime) -> Answer {
    guard time != .none else { return .timeUnknown }
    guard payload.count == NavigationStore.reservedBytes + NavigationStore.dataBytes else {
      hasForeign = true
      return .wrongSize
    }
    var reader = ByteReader(Array(payload[NavigationStore.reservedBytes...]))
    guard let system = reader.u8(), let number = reader.u8(), let issued = reader.i64(),
      payload == record(system: system, number: number, issued: issued)
    else {
      hasForeign = true
      return .notStored
    }
    let age = truth.secondsSince1970 &- issued
    let isFresh = age >= 0 && age <= NavigationStore.ephemerisAgeMax
    if isFresh, !taken.contains([system, number]) { taken.append([system, number]) }
    return .accepted
  }

  /// The effect of all assistance together.
  var effect: Effect {
    if hasForeign || time == .wrong || position == .wrong { return .spoiled }
    let isEnough = taken.count >= NavigationStore.satellitesMin
    return isEnough && time == .right && position == .right ? .hot : .none
  }
}
