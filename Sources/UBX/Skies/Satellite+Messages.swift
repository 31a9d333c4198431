public import BinnacleModel

extension Satellite {
  /// A satellite of NAV-SAT; nil when its system is unknown.
  public init?(_ said: NavSAT.Satellite) {
    guard let constellation = Constellation(rawValue: said.gnssID) else { return nil }
    // 255: "GLONASS satellite with unknown slot" (UBX-21035062, "Satellite numbering").
    self.init(
      constellation: constellation, number: said.satelliteID == 255 ? nil : Int(said.satelliteID),
      isUsed: said.isUsed, health: Health(rawValue: UInt8(said.flags >> 4 & 3)))
    setPlace(elevation: said.elevationDegrees, azimuth: said.azimuthDegrees)
    setSignal(said.carrierToNoiseDBHz)
  }

  /// A satellite of NAV-SVINFO; nil when its number is unknown.
  public init?(_ said: NavSVINFO.Channel) {
    guard let named = Satellite.named(channelID: said.satelliteID) else { return nil }
    self.init(
      constellation: named.constellation, number: named.number, isUsed: said.isUsed)
    // Without an orbit, M8 sets the bit for "unhealthy" while NAV-SAT reports the health as unknown.
    if said.isOrbitKnown {
      if said.isUnhealthy { health = .unhealthy }
      setPlace(elevation: said.elevationDegrees, azimuth: said.azimuthDegrees)
    }
    setSignal(said.carrierToNoiseDBHz)
  }

  /// The satellite of a number in NAV-SVINFO; nil for an undefined number.
  ///
  /// u-blox 8 / M8 receiver description, UBX-13003221, appendix "Satellite numbering", column "UBX svid".
  public static func named(
    channelID: UInt8
  ) -> (constellation: Constellation, number: Int?)? {
    let id = Int(channelID)
    return switch id {
    case 1...32: (.gps, id)
    case 33...64: (.beidou, id - 27)
    case 65...96: (.glonass, id - 64)
    case 120...158: (.sbas, id)
    case 159...163: (.beidou, id - 158)
    case 173...182: (.imes, id - 172)
    case 193...202: (.qzss, id - 192)
    case 211...246: (.galileo, id - 210)
    case 255: (.glonass, nil)
    case _: nil
    }
  }

  private mutating func setPlace(elevation: Int8, azimuth: Int16) {
    guard (-90...90).contains(elevation) else { return }
    elevationDegrees = Int(elevation)
    if (0...360).contains(azimuth) { azimuthDegrees = Int(azimuth) }
  }

  private mutating func setSignal(_ carrierToNoiseDBHz: UInt8) {
    if carrierToNoiseDBHz > 0 { self.carrierToNoiseDBHz = min(Int(carrierToNoiseDBHz), 254) }
  }
}

/// A dilution of precision in hundredths as a factor; nil for an unknown dilution.
func dilutionFactor(hundredths: UInt16?) -> Double? {
  hundredths.map { Double($0) / 100 }
}
