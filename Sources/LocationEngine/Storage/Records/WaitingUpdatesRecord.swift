import BinnacleBasics
import BinnacleModel
import StateLog

/// The value of a record of waiting updates: locations that an app gets when it is resumed or launched.
///
/// `Docs/SPEC-state.md` has the format. Lengths have a resolution of a millimeter, angles of 1e-9 and 1e-5 degrees.
struct WaitingUpdatesRecord: Equatable, Sendable {
  /// The most updates in a record: those of a minute at 2 Hz.
  static let countMax = 120
  private static let version: UInt8 = 1

  /// The configurations of the sequences that get the updates.
  let configurations: [LiveConfiguration]
  /// Each has a fix.
  let updates: [Update]

  /// nil without a configuration, without updates, with more than ``countMax``, or if an update has no possible fix.
  init?(_ updates: [Update], for configurations: [LiveConfiguration]) {
    guard !configurations.isEmpty, (1...WaitingUpdatesRecord.countMax).contains(updates.count),
      updates.allSatisfy({ $0.fix?.canBeStored == true })
    else { return nil }
    self.configurations = configurations
    self.updates = updates
  }

  /// The record for a person.
  var text: String {
    let names = configurations.map(\.name).joined(separator: ", ")
    let times = updates.compactMap { $0.fix?.time.rfc3339(fractionDigits: 0) }
    return "\(updates.count) for \(names), from \(times.first ?? "-") to \(times.last ?? "-")"
  }

  // MARK: Bytes

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put([
      WaitingUpdatesRecord.version, configurations.reduce(0) { $0 | 1 << $1.rawValue },
      UInt8(updates.count),
    ])
    var before = Row()
    for update in updates {
      let row = Row(update)
      for (number, last) in zip(row.numbers, before.numbers) { writer.short(number &- last) }
      before = row
    }
    return writer.bytes
  }

  /// Reads a value; nil if it is damaged.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == WaitingUpdatesRecord.version, let mask = reader.u8(),
      let count = reader.u8(), mask >> LiveConfiguration.allCases.count == 0
    else { return nil }
    var updates: [Update] = []
    var row = Row()
    for _ in 0..<count {
      for index in row.numbers.indices {
        guard let step = reader.short() else { return nil }
        row.numbers[index] &+= step
      }
      guard let update = row.update else { return nil }
      updates.append(update)
    }
    guard reader.remaining == 0 else { return nil }
    self.init(
      updates, for: LiveConfiguration.allCases.filter { mask & 1 << $0.rawValue != 0 })
  }
}

/// An update as whole numbers, in the order of the record.
private struct Row {
  /// The number of numbers of an update.
  private static let count = 14

  var numbers = [Int64](repeating: 0, count: Row.count)

  init() {}

  init(_ update: Update) {
    guard let fix = update.fix else { return }
    numbers = [
      fix.time.secondsSince1970, Int64(fix.time.nanoseconds),
      Row.whole(fix.latitude, 1e9), Row.whole(fix.longitude, 1e9),
      Row.whole(fix.altitude, 1e3),
      // The height of the geoid changes more slowly than the altitude.
      Row.whole(fix.ellipsoidalAltitude - fix.altitude, 1e3),
      Row.whole(fix.horizontalAccuracy, 1e3), Row.whole(fix.verticalAccuracy, 1e3),
      Row.whole(fix.speed, 1e3), Row.whole(fix.speedAccuracy, 1e3),
      Row.whole(fix.course, 1e5), Row.whole(fix.courseAccuracy, 1e5),
      Int64(update.flags.rawValue) << 1 | (fix.isSimulatedBySoftware ? 1 : 0),
      Int64(fix.satelliteCount ?? -1),
    ]
  }

  /// The update; nil if a number is impossible.
  var update: Update? {
    guard let nanoseconds = Int32(exactly: numbers[1]), (0..<1_000_000_000).contains(nanoseconds),
      let bits = UInt32(exactly: numbers[12]), let flags = UInt16(exactly: bits >> 1),
      let satelliteCount = Int(exactly: numbers[13])
    else { return nil }
    let altitude = Double(numbers[4]) / 1e3
    let fix = Fix(
      latitude: Double(numbers[2]) / 1e9, longitude: Double(numbers[3]) / 1e9, altitude: altitude,
      ellipsoidalAltitude: altitude + Double(numbers[5]) / 1e3,
      horizontalAccuracy: Double(numbers[6]) / 1e3, verticalAccuracy: Double(numbers[7]) / 1e3,
      speed: Double(numbers[8]) / 1e3, speedAccuracy: Double(numbers[9]) / 1e3,
      course: Double(numbers[10]) / 1e5, courseAccuracy: Double(numbers[11]) / 1e5,
      time: UTCTime(secondsSince1970: numbers[0], nanoseconds: Int64(nanoseconds)),
      isSimulatedBySoftware: bits & 1 != 0,
      satelliteCount: satelliteCount < 0 ? nil : satelliteCount)
    return Update(fix: fix, flags: Update.Flags(rawValue: flags))
  }

  private static func whole(_ value: Double, _ scale: Double) -> Int64 {
    Int64((value * scale).rounded())
  }
}

extension Fix {
  /// Whether the fix is a possible position at a possible time.
  fileprivate var canBeStored: Bool {
    let lengths = [
      altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy, speed, speedAccuracy,
      course, courseAccuracy,
    ]
    return (-90.0...90).contains(latitude) && (-180.0...180).contains(longitude)
      && lengths.allSatisfy { $0.magnitude <= Fix.lengthMax }
      && (0...Fix.satelliteCountMax).contains(satelliteCount ?? 0)
      && LastPlace.secondsRange.contains(time.secondsSince1970)
  }

  /// The greatest length in a record, in meters: once around the earth.
  private static let lengthMax = 41_000_000.0
  private static let satelliteCountMax = 1_000
}

/// The key of a record of waiting updates: the app as readable text, a zero byte, and the number of the record, `u32`.
struct WaitingUpdatesKey: Equatable {
  let app: AppID
  let number: UInt32

  init(app: AppID, number: UInt32) {
    self.app = app
    self.number = number
  }

  /// nil if the app's name is too long for a record.
  var bytes: [UInt8]? {
    guard let name = app.recordKey else { return nil }
    var writer = ByteWriter()
    writer.put(name + [0])
    writer.u32(number)
    return writer.bytes.count <= RecordName.keySizeMax ? writer.bytes : nil
  }

  /// nil if the bytes are no such key.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes.suffix(MemoryLayout<UInt32>.size))
    guard bytes.count > MemoryLayout<UInt32>.size, let number = reader.u32() else { return nil }
    let name = bytes.dropLast(MemoryLayout<UInt32>.size)
    guard name.last == 0, let app = AppID(recordKey: Array(name.dropLast())) else { return nil }
    self.init(app: app, number: number)
  }
}
