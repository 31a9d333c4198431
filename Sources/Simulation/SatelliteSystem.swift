/// A satellite system, by its gnssId of NAV-SAT.
public enum SatelliteSystem: UInt8, Codable, Sendable {
  case gps = 0
  case galileo = 2
  case beidou = 3
  case glonass = 6

  /// The talker of its GSV sentences (recording gpsd-neo-m9n-nmea.log).
  var talker: String {
    switch self {
    case .gps: "GP"
    case .galileo: "GA"
    case .beidou: "GB"
    case .glonass: "GL"
    }
  }

  /// The system number at the end of GSA sentences of NMEA 4.10 (recording gpsd-neo-m9n-nmea.log).
  var sentenceNumber: Int {
    switch self {
    case .gps: 1
    case .glonass: 2
    case .galileo: 3
    case .beidou: 4
    }
  }

  /// The signal number at the end of GSV sentences of NMEA 4.10 (recording gpsd-neo-m9n-nmea.log).
  var signalNumber: Int { self == .galileo ? 7 : 1 }

  /// The offset that NMEA and NAV-SVINFO add to a satellite's number (GLONASS slots are 65 and up).
  var sentenceOffset: Int { self == .glonass ? 64 : 0 }
}
