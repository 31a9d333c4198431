import BinnacleBasics
import BinnacleModel

/// The value of the record of a rest: the place of the board, and the configurations of which all updates pause.
///
/// `u8` version, 1; `u8` configurations, a bit for each by its number; `i32` latitude and `i32` longitude, 1e-7
/// degrees; `u32` accuracy in millimeters; `i64` seconds since 1970 of the fix at the start of the pause. There is no
/// record while nothing pauses.
struct RestRecord: Equatable, Codable, Sendable {
  let spot: RestSpot
  private let mask: UInt8

  private static let version: UInt8 = 1

  /// nil when no configuration pauses.
  init?(_ spot: RestSpot, pausing configurations: [LiveConfiguration]) {
    guard !configurations.isEmpty else { return nil }
    // The record has whole seconds only.
    self.spot = RestSpot(
      latitudeE7: spot.latitudeE7, longitudeE7: spot.longitudeE7,
      accuracyMillimeters: spot.accuracyMillimeters,
      time: UTCTime(secondsSince1970: spot.time.secondsSince1970))
    mask = configurations.reduce(0) { $0 | 1 << $1.rawValue }
  }

  /// Whether the updates of a configuration paused.
  func contains(_ configuration: LiveConfiguration) -> Bool {
    mask & 1 << configuration.rawValue != 0
  }

  /// The rest for a person.
  func text(showsPlaces: Bool) -> String {
    let paused = LiveConfiguration.allCases.filter(contains).map(\.name)
    let since = spot.time.rfc3339(fractionDigits: 0)
    let text = "\(paused.joined(separator: ", ")) paused since \(since)"
    guard showsPlaces else { return text }
    let place = spot.place
    return text + " at \(place.latitude), \(place.longitude) ±\(place.accuracyMeters) m"
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put([RestRecord.version, mask])
    writer.i32(spot.latitudeE7)
    writer.i32(spot.longitudeE7)
    writer.u32(spot.accuracyMillimeters)
    writer.i64(spot.time.secondsSince1970)
    return writer.bytes
  }

  /// Reads a value; nil if it is damaged.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == RestRecord.version, let mask = reader.u8(), mask != 0,
      let latitude = reader.i32(), (-900_000_000...900_000_000).contains(latitude),
      let longitude = reader.i32(), (-1_800_000_000...1_800_000_000).contains(longitude),
      let accuracy = reader.u32(), let seconds = reader.i64(),
      LastPlace.secondsRange.contains(seconds), reader.remaining == 0
    else { return nil }
    self.mask = mask
    spot = RestSpot(
      latitudeE7: latitude, longitudeE7: longitude, accuracyMillimeters: accuracy,
      time: UTCTime(secondsSince1970: seconds))
  }
}
