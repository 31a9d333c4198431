/// Satellite numbers in NMEA 0183 sentences, in both directions.
///
/// Source: u-blox M10 SPG 5.10 interface description (UBX-21035062), "Satellite numbering", columns NMEA 2.3 to 4.0 and
/// NMEA 4.10 and later; "GNSS identifiers" for talkers and system identifiers.
///
/// ```
///            4.10 and later      before 4.10, and "extended"
/// GPS        1 to 32             1 to 32
/// SBAS       33 to 64            33 to 64, 152 to 158
/// Galileo    1 to 36             301 to 336
/// BeiDou     1 to 63             401 to 463
/// IMES                           173 to 182
/// QZSS       1 to 10             193 to 202
/// GLONASS    65 to 96            65 to 96
/// NavIC      1 to 14
/// ```
extension Satellite.Constellation {
  /// The constellation of a GSV sentence's talker; nil for `GN`, which stands for several, and for unknown talkers.
  ///
  /// Besides those of u-blox, `BD` is BeiDou and `QZ` is QZSS in sentences of other makers.
  public init?(talker: (UInt8, UInt8)) {
    switch talker {
    case (0x47, 0x50): self = .gps  // GP
    case (0x47, 0x4C): self = .glonass  // GL
    case (0x47, 0x41): self = .galileo  // GA
    case (0x47, 0x42), (0x42, 0x44): self = .beidou  // GB, BD
    case (0x47, 0x51), (0x51, 0x5A): self = .qzss  // GQ, QZ
    case (0x47, 0x49): self = .navic  // GI
    case _: return nil
    }
  }

  /// The constellation of a GSA sentence's system identifier (NMEA 4.10 and later); nil for an unknown one.
  public init?(systemID: Int) {
    switch systemID {
    case 1: self = .gps
    case 2: self = .glonass
    case 3: self = .galileo
    case 4: self = .beidou
    case 5: self = .qzss
    case 6: self = .navic
    case _: return nil
    }
  }

  /// The talker of this constellation's GSV sentences; nil for IMES, which has none.
  public var talker: String? {
    switch self {
    case .gps, .sbas: "GP"
    case .glonass: "GL"
    case .galileo: "GA"
    case .beidou: "GB"
    case .qzss: "GQ"
    case .navic: "GI"
    case .imes: nil
    }
  }

  /// The system identifier of this constellation's GSA sentences; nil for IMES, which has none.
  public var systemID: Int? {
    switch self {
    case .gps, .sbas: 1
    case .glonass: 2
    case .galileo: 3
    case .beidou: 4
    case .qzss: 5
    case .navic: 6
    case .imes: nil
    }
  }
}

extension Satellite {
  /// The satellite of a number in a sentence.
  ///
  /// - Parameters:
  ///   - nmeaID: the number in the sentence.
  ///   - group: the constellation of the talker or the system identifier; nil if the number alone decides.
  /// - Returns: constellation and number; nil when the table has no such number.
  public static func named(
    nmeaID: Int, in group: Constellation?
  ) -> (constellation: Constellation, number: Int)? {
    switch (nmeaID, group) {
    case (1...32, nil), (1...32, .gps): (.gps, nmeaID)
    case (33...64, nil), (33...64, .gps): (.sbas, nmeaID + 87)
    case (152...158, nil), (152...158, .gps): (.sbas, nmeaID)
    case (1...32, .glonass): (.glonass, nmeaID)
    case (65...96, nil), (65...96, .gps), (65...96, .glonass): (.glonass, nmeaID - 64)
    case (1...36, .galileo): (.galileo, nmeaID)
    case (301...336, nil), (301...336, .gps), (301...336, .galileo): (.galileo, nmeaID - 300)
    case (1...63, .beidou): (.beidou, nmeaID)
    case (401...463, nil), (401...463, .gps), (401...463, .beidou): (.beidou, nmeaID - 400)
    case (173...182, nil), (173...182, .gps): (.imes, nmeaID - 172)
    case (1...10, .qzss): (.qzss, nmeaID)
    case (193...202, nil), (193...202, .gps), (193...202, .qzss): (.qzss, nmeaID - 192)
    case (1...14, .navic): (.navic, nmeaID)
    case _: nil
    }
  }

  /// The satellite's number in sentences of NMEA 4.10 and later.
  ///
  /// The sentence has the talker and the system identifier of the constellation. nil if the table has no number, or if
  /// the satellite's number is unknown.
  public var nmeaID: Int? {
    guard let number else { return nil }
    switch constellation {
    case .gps: return (1...32).contains(number) ? number : nil
    case .sbas: return (120...151).contains(number) ? number - 87 : nil
    case .galileo: return (1...36).contains(number) ? number : nil
    case .beidou: return (1...63).contains(number) ? number : nil
    case .imes: return nil
    case .qzss: return (1...10).contains(number) ? number : nil
    case .glonass: return (1...32).contains(number) ? number + 64 : nil
    case .navic: return (1...14).contains(number) ? number : nil
    }
  }
}
