public import BinnacleBasics
import BinnacleModel

/// The last place of the board, for a receiver that searches for satellites; it is never delivered to an app.
///
/// While the board has no fix it may move, also by train. The uncertainty therefore grows with the age, in every
/// direction. The speed is the limit of the last fix's dynamic model, but at least 100 m/s.
public struct LastPlace: Equatable, Codable, Sendable {
  /// 1e-7 degrees on WGS 84.
  public let latitudeE7: Int32
  public let longitudeE7: Int32
  /// Centimeters over the ellipsoid; 0 if the height was unknown.
  public let heightCentimeters: Int32
  /// The accuracy of the fix, in millimeters.
  public let accuracyMillimeters: UInt32
  /// The dynamic model of the receiver at that fix.
  public let model: DynamicModel
  public let time: UTCTime

  /// The least value of the assumed speed, in meters per second: a board that is off may be in a train.
  static let speedMin = 100.0
  /// Half of the way around the earth; with a greater uncertainty the position is unknown.
  static let uncertaintyMaxMeters = 20_000_000.0
  /// 1970 to 9999.
  static let secondsRange: ClosedRange<Int64> = 0...253_402_300_799
  private static let version: UInt8 = 1

  init(_ fix: Fix, model: DynamicModel) {
    latitudeE7 = Int32(clamping: Int64((fix.latitude * 1e7).rounded()))
    longitudeE7 = Int32(clamping: Int64((fix.longitude * 1e7).rounded()))
    // Mean sea level is within 110 m of the ellipsoid.
    let known = fix.ellipsoidalAltitude != 0 ? fix.ellipsoidalAltitude : fix.altitude
    let height = fix.verticalAccuracy > 0 ? known : 0
    heightCentimeters = Int32(clamping: Int64((height * 100).rounded()))
    accuracyMillimeters = UInt32(clamping: Int64((fix.horizontalAccuracy * 1_000).rounded()))
    self.model = model
    time = fix.time
  }

  /// The greatest distance of the board from this place now.
  ///
  /// - Parameter age: the time since the fix, which is not negative.
  /// - Returns: meters; nil if the board may be anywhere.
  func uncertaintyMeters(after age: Interval) -> Double? {
    let speed = max(model.speedMaxMetersPerSecond, LastPlace.speedMin)
    let meters = Double(accuracyMillimeters) / 1_000 + speed * max(0, age.seconds)
    return meters <= LastPlace.uncertaintyMaxMeters ? meters : nil
  }

  // MARK: The record

  /// The place as text, for an operator.
  var text: String {
    let degrees = [latitudeE7, longitudeE7].map { "\(Double($0) / 1e7)" }
    return degrees.joined(separator: ", ") + " ±\(Double(accuracyMillimeters) / 1_000) m, "
      + time.rfc3339(fractionDigits: 0)
  }

  /// The bytes of the record: version, model, latitude, longitude, height, accuracy, seconds since 1970, nanoseconds.
  public var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put([LastPlace.version, model.rawValue])
    writer.i32(latitudeE7)
    writer.i32(longitudeE7)
    writer.i32(heightCentimeters)
    writer.u32(accuracyMillimeters)
    writer.i64(time.secondsSince1970)
    writer.i32(time.nanoseconds)
    return writer.bytes
  }

  /// Reads the record; nil if it is not whole.
  public init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == LastPlace.version,
      let model = reader.u8().flatMap(DynamicModel.init(rawValue:)),
      let latitude = reader.i32(), (-900_000_000...900_000_000).contains(latitude),
      let longitude = reader.i32(), (-1_800_000_000...1_800_000_000).contains(longitude),
      let height = reader.i32(), let accuracy = reader.u32(), let seconds = reader.i64(),
      LastPlace.secondsRange.contains(seconds), let nanoseconds = reader.i32(),
      (0..<1_000_000_000).contains(nanoseconds),
      reader.remaining == 0
    else { return nil }
    latitudeE7 = latitude
    longitudeE7 = longitude
    heightCentimeters = height
    accuracyMillimeters = accuracy
    self.model = model
    time = UTCTime(secondsSince1970: seconds, nanoseconds: Int64(nanoseconds))
  }
}
