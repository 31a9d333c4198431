import BinnacleModel

/// Joins the GSV and GSA sentences of one epoch into a list of satellites.
///
/// A satellite with several signals is in several groups of GSV (NMEA 4.10 and later end a group's sentences with a
/// signal identifier). The list has such a satellite once, with its strongest signal. Sources: M10 SPG 5.10 interface
/// description (UBX-21035062), "GSV", "GSA"; recordings gpsd-zed-f9r.log, gpsd-neo-m9n-nmea.log.
struct SatelliteList: Equatable, Codable, Sendable {
  /// Whether positions in the sky, signals and use are kept; otherwise the satellites are only counted.
  let isWhole: Bool
  private var entries: [Entry] = []
  /// The groups of GSV sentences: one group per talker and signal.
  private var groups: [Group] = []
  /// The satellites in GSA.
  private var used: [Name] = []
  /// Whether satellites were dropped because the list is full.
  private var isCut = false

  /// A constellation and a number; the number 0 is unknown.
  private struct Name: Equatable, Codable {
    var constellation: Satellite.Constellation
    var number: UInt16
  }

  /// A satellite in compact form: an epoch has dozens of satellites.
  private struct Entry: Equatable, Codable {
    var name: Name
    var elevation: Int16?
    var azimuth: Int16?
    var signal: UInt8 = 0
  }

  private struct Group: Equatable, Codable {
    var talker: UInt16
    var signal: UInt8
    var total: Int
    /// The sentences that arrived, as bits.
    var heard: UInt32

    var isWhole: Bool { heard == (1 << UInt32(total)) - 1 }
  }

  /// The most groups; receivers send fewer.
  ///
  /// 7 constellations of up to 4 signals each make 28 groups, plus the groups of satellites without a signal.
  private static let groupsMax = 40
  /// 64 satellites in a group, four in each sentence.
  private static let sentencesMax = 16

  init(isWhole: Bool) {
    self.isWhole = isWhole
  }

  /// An empty list with the same options.
  var emptied: SatelliteList { SatelliteList(isWhole: isWhole) }

  /// Whether a sentence is a GSV.
  static func isView(_ payload: Payload) -> Bool {
    payload.count > 7 && payload[5] == UInt8(ascii: ",") && payload[2] == UInt8(ascii: "G")
      && payload[3] == UInt8(ascii: "S") && payload[4] == UInt8(ascii: "V")
  }

  /// The number of satellites in view; nil if no group arrived, or if a sentence of a group was lost.
  var count: Int? {
    groups.isEmpty || isCut || groups.contains { !$0.isWhole } ? nil : entries.count
  }

  /// Whether no GSV arrived.
  var isEmpty: Bool { groups.isEmpty }

  /// The satellites in view; satellites that GSA lists are marked as used.
  var satellites: [Satellite] {
    entries.map { entry in
      Satellite(
        constellation: entry.name.constellation,
        number: entry.name.number == 0 ? nil : Int(entry.name.number),
        elevationDegrees: entry.elevation.map { Int($0) },
        azimuthDegrees: entry.azimuth.map { Int($0) },
        carrierToNoiseDBHz: entry.signal == 0 ? nil : Int(entry.signal),
        isUsed: entry.name.number != 0 && used.contains(entry.name))
    }
  }

  /// Takes a GSV: total, number, satellites in view, up to four times id, elevation, azimuth, C/N0; signal identifier.
  mutating func takeView(_ payload: Payload) {
    // Half of all sentences are GSV, so their fields are read in one pass.
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: SatelliteList.fieldsMax) { numbers in
      let read = SatelliteList.readNumbers(of: payload, into: numbers)
      let total = Int(numbers[0])
      let number = Int(numbers[1])
      let hasSignal = read.count >= 4 && read.count % 4 == 0 && read.lastStart < payload.count
      guard (1...SatelliteList.sentencesMax).contains(total), (1...total).contains(number),
        note(
          number, of: total, talker: UInt16(payload[0]) << 8 | UInt16(payload[1]),
          signal: hasSignal ? payload[read.lastStart] : 0)
      else { return }
      let constellation = Satellite.Constellation(talker: (payload[0], payload[1]))
      for index in 0..<max(0, min(4, (read.count - 3) / 4)) {
        takeSatellite(in: constellation, numbers, at: 3 + 4 * index)
      }
    }
  }

  /// Three fields, four fields for each of four satellites, and the signal.
  private static let fieldsMax = 20
  /// Stands for a field that is empty or not an integer.
  private static let none = Int32.min

  /// Reads the fields after the address as integers; `none` for other fields.
  ///
  /// - Returns: the number of fields, at most `fieldsMax`, and the offset of the last field.
  private static func readNumbers(
    of payload: Payload, into numbers: UnsafeMutableBufferPointer<Int32>
  ) -> (count: Int, lastStart: Int) {
    numbers.initialize(repeating: none)
    var field = -1
    var start = 0
    var value: Int32 = 0
    var isNegative = false
    var isNumber = true
    func keep(_ end: Int) {
      let hasDigits = end - start > (isNegative ? 1 : 0)
      guard field >= 0, isNumber, hasDigits, end - start <= 5 else { return }
      numbers[field] = isNegative ? -value : value
    }
    for place in 0..<payload.count {
      let byte = payload[place]
      if byte == UInt8(ascii: ",") {
        keep(place)
        guard field + 1 < fieldsMax else { return (field + 1, start) }
        field += 1
        (start, value, isNegative, isNumber) = (place + 1, 0, false, true)
      } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
        value = value &* 10 &+ Int32(byte - UInt8(ascii: "0"))
      } else if byte == UInt8(ascii: "-"), place == start {
        isNegative = true
      } else {
        isNumber = false
      }
    }
    keep(payload.count)
    return (field + 1, start)
  }

  /// Takes a GSA: operation mode, fix, twelve ids, three dilutions, system identifier.
  mutating func takeUsed(_ payload: Payload) {
    guard isWhole else { return }
    var fields = NMEAFields(payload)
    fields.skip(2)
    var ids: [Int] = []
    for _ in 0..<12 { if let id = fields.integer() { ids.append(id) } }
    fields.skip(3)
    let system = fields.integer()
    let group =
      system.flatMap(Satellite.Constellation.init(systemID:))
      ?? Satellite.Constellation(talker: (payload[0], payload[1]))
    for id in ids {
      guard used.count < Sky.satellitesMax,
        let named = Satellite.named(nmeaID: id, in: group)
      else { continue }
      let name = Name(constellation: named.constellation, number: UInt16(named.number))
      if !used.contains(name) { used.append(name) }
    }
  }

  /// Takes the four fields of a satellite; ignores an undefined number.
  private mutating func takeSatellite(
    in constellation: Satellite.Constellation?, _ numbers: UnsafeMutableBufferPointer<Int32>,
    at first: Int
  ) {
    let (id, elevation, azimuth) = (numbers[first], numbers[first + 1], numbers[first + 2])
    let signal = numbers[first + 3]
    var entry: Entry
    if id != SatelliteList.none {
      guard let named = Satellite.named(nmeaID: Int(id), in: constellation) else { return }
      entry = Entry(
        name: Name(constellation: named.constellation, number: UInt16(named.number)))
    } else {
      // u-blox receivers leave the number of a GLONASS satellite with an unknown slot empty. A satellite without any
      // value is ignored.
      guard constellation == .glonass,
        elevation != SatelliteList.none || signal != SatelliteList.none
      else { return }
      entry = Entry(name: Name(constellation: .glonass, number: 0))
    }
    if (-90...90).contains(elevation) {
      entry.elevation = Int16(elevation)
      if (0...360).contains(azimuth) { entry.azimuth = Int16(azimuth) }
    }
    if (1...254).contains(signal) { entry.signal = UInt8(signal) }
    add(entry)
  }

  /// Counts a sentence of a group; false when the sentence is a repetition.
  private mutating func note(
    _ number: Int, of total: Int, talker: UInt16, signal: UInt8
  ) -> Bool {
    let bit = UInt32(1) << UInt32(number - 1)
    if let index = groups.firstIndex(where: { $0.talker == talker && $0.signal == signal }) {
      guard groups[index].total == total, groups[index].heard & bit == 0 else { return false }
      groups[index].heard |= bit
      return true
    }
    guard groups.count < SatelliteList.groupsMax else {
      isCut = true
      return false
    }
    groups.append(Group(talker: talker, signal: signal, total: total, heard: bit))
    return true
  }

  private mutating func add(_ entry: Entry) {
    let known = entry.name.number == 0 ? nil : entries.firstIndex { $0.name == entry.name }
    guard let known else {
      guard entries.count < Sky.satellitesMax else { return isCut = true }
      return entries.append(entry)
    }
    guard isWhole else { return }
    entries[known].elevation = entries[known].elevation ?? entry.elevation
    entries[known].azimuth = entries[known].azimuth ?? entry.azimuth
    entries[known].signal = max(entries[known].signal, entry.signal)
  }
}
