import BinnacleBasics
import BinnacleModel

/// A time in which an app in the background, or the tool of an operator, could receive locations, and the value of its record.
///
/// `u8` version, 1; `u8` right (``UseRight``); `u8` flags: bit 0, the epoch has ended; bit 1, the indicator was read back
/// lit; `i64` beginning and `i64` end, seconds since 1970 in UTC, 0 if the time was unknown; `u32` delivered locations;
/// then the app, as the key of its other records. The end of an epoch that has not ended is the time of the last write.
struct BackgroundEpoch: Equatable, Codable, Sendable {
  let app: AppID
  let right: UseRight
  let from: UTCTime?
  /// The end, or the time of the last write.
  var to: UTCTime?
  var updateCount: Int
  var hasEnded: Bool
  let isLampVerified: Bool
  /// Whether the daemon or the power ended within the epoch.
  ///
  /// End and count are then those of the last record. The record itself does not have this value.
  var isInterrupted = false

  static let version: UInt8 = 1

  init(
    app: AppID, right: UseRight, from: UTCTime?, to: UTCTime?, updateCount: Int, hasEnded: Bool,
    isLampVerified: Bool
  ) {
    self.app = app
    self.right = right
    self.from = from.map { UTCTime(secondsSince1970: $0.secondsSince1970) }
    self.to = to.map { UTCTime(secondsSince1970: $0.secondsSince1970) }
    self.updateCount = updateCount
    self.hasEnded = hasEnded
    self.isLampVerified = isLampVerified
  }

  /// - Returns: nil if the bytes are not an epoch of this version.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == BackgroundEpoch.version,
      let right = reader.u8().flatMap(UseRight.init(rawValue:)), let flags = reader.u8(),
      flags <= 3, let from = reader.i64(), let to = reader.i64(), let count = reader.u32(),
      let app = reader.take(reader.remaining).flatMap(AppID.init(grantKey:))
    else { return nil }
    self.init(
      app: app, right: right, from: BackgroundEpoch.time(from), to: BackgroundEpoch.time(to),
      updateCount: Int(count), hasEnded: flags & 1 != 0, isLampVerified: flags & 2 != 0)
  }

  /// The value; nil for an app without a key.
  var bytes: [UInt8]? {
    guard let key = app.grantKey else { return nil }
    var writer = ByteWriter()
    writer.u8(BackgroundEpoch.version)
    writer.u8(right.rawValue)
    writer.u8((hasEnded ? 1 : 0) | (isLampVerified ? 2 : 0))
    writer.i64(from?.secondsSince1970 ?? 0)
    writer.i64(to?.secondsSince1970 ?? 0)
    writer.u32(UInt32(clamping: updateCount))
    writer.put(key)
    return writer.bytes
  }

  private static func time(_ seconds: Int64) -> UTCTime? {
    seconds == 0 ? nil : UTCTime(secondsSince1970: seconds)
  }

  /// The text for `binnacle state`.
  var text: String {
    let times = [from, to].map { $0?.rfc3339(fractionDigits: 0) ?? "unknown time" }
    return "\(app), \(right.name), \(times[0]) to \(times[1]), "
      + CountText.words(updateCount, "location")
  }
}
