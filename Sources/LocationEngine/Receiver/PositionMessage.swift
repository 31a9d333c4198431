/// The messages in which a receiver is told to say its position, best first.
enum PositionMessage: UInt8, CaseIterable, Codable, Sendable {
  /// NAV-PVT, which says everything.
  case solution = 0
  /// NAV-SOL, NAV-POSLLH, NAV-VELNED and NAV-TIMEUTC: what generation 6 has, and later ones for the most part.
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
