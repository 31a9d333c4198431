/// The doors of the board's profile for programs without the client library.
///
/// All doors have the same transports, keys and limits; they differ in the bytes that a reader gets.
public enum DoorKind: String, CaseIterable, Sendable {
  /// Sentences of NMEA 0183, for programs that read a receiver, such as gpsd and GeoClue.
  case nmea

  /// The bytes that a reader gets, in words.
  public var contents: String {
    switch self {
    case .nmea: "NMEA sentences"
    }
  }

  /// The name in apps and in keys of the report, such as `nmea`.
  public var name: String { rawValue }

  /// The name for people, such as `NMEA`.
  public var title: String { rawValue.uppercased() }

  /// The name of the section in the profile, such as `Door NMEA`.
  public var section: String { "Door \(title)" }
}
