/// The messages that can carry the position, the best first.
enum PositionMessage: UInt8, CaseIterable, Codable, Sendable {
  /// NAV-PVT, which has all values.
  case solution = 0
  /// NAV-SOL, NAV-POSLLH, NAV-VELNED and NAV-TIMEUTC of generation 6, which most later receivers also have.
  case parts = 1
  /// Sentences of NMEA 0183.
  case sentences = 2

  /// The name for a person.
  var name: String {
    switch self {
    case .solution: "NAV-PVT"
    case .parts: "NAV-SOL and NAV-POSLLH"
    case .sentences: "NMEA sentences"
    }
  }
}
