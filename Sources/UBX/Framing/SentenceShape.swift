/// Finds sentences whose fields are not in their places.
///
/// The checksum of a sentence, an exclusive or, does not detect two bytes in which the same bit is flipped. If one of them
/// was a comma, or becomes one, all fields behind it are read as their neighbors: a course as a speed, for example. Then a
/// field of one letter or digit has more, or the date of RMC has a point.
///
/// The places are those of "NMEA Standard Messages" and "PUBX Messages" in the interface descriptions of u-blox M8 and M10.
enum SentenceShape {
  /// Whether the fields of a sentence may be in their places.
  ///
  /// - Parameter body: the text between `$` and `*`.
  /// - Returns: true for each sentence without a part of a solution.
  static func fits(_ body: Payload) -> Bool {
    guard let part = NMEAEpoch.part(of: body) else { return true }
    let letters = letterPlaces(of: part)
    var place = 0
    var length = 0
    for byte in body {
      if byte == UInt8(ascii: ",") {
        place += 1
        length = 0
        if place > placeMax { return true }
        continue
      }
      length += 1
      if length > 1, letters & 1 << place != 0 { return false }
      if part == .rmc, place == dateOfRMC, byte == UInt8(ascii: ".") { return false }
    }
    return true
  }

  private static let dateOfRMC = 9
  private static let placeMax = 12

  /// The places of fields with one letter or digit, as bits; the address has place 0.
  private static func letterPlaces(of part: NMEAEpoch.Parts) -> Int {
    switch part {
    // Status, and north or south, east or west.
    case .rmc, .gll: 1 << 2 | 1 << 4 | 1 << 6
    // North or south, east or west, quality, unit of the altitude, unit of the separation.
    case .gga: 1 << 3 | 1 << 5 | 1 << 6 | 1 << 10 | 1 << 12
    case .gns: 1 << 3 | 1 << 5
    case .pubx00: 1 << 4 | 1 << 6
    // K behind the speed in kilometers per hour; old receivers send fewer fields.
    case .vtg: 1 << 8
    case _: 0
    }
  }
}
