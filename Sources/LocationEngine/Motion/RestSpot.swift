import BinnacleBasics
import BinnacleModel
import Motion

/// The place where the board rested when updates paused.
struct RestSpot: Equatable, Codable, Sendable {
  /// 1e-7 degrees on WGS 84.
  let latitudeE7: Int32
  let longitudeE7: Int32
  let accuracyMillimeters: UInt32
  /// The time of the fix at the start of the pause.
  let time: UTCTime

  init(latitudeE7: Int32, longitudeE7: Int32, accuracyMillimeters: UInt32, time: UTCTime) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    self.accuracyMillimeters = accuracyMillimeters
    self.time = time
  }

  init(_ fix: Fix) {
    latitudeE7 = Int32(clamping: Int64((fix.latitude * 1e7).rounded()))
    longitudeE7 = Int32(clamping: Int64((fix.longitude * 1e7).rounded()))
    accuracyMillimeters = UInt32(clamping: Int64((fix.horizontalAccuracy * 1_000).rounded()))
    time = fix.time
  }

  var place: SolutionReading.Place {
    SolutionReading.Place(
      latitude: Double(latitudeE7) / 1e7, longitude: Double(longitudeE7) / 1e7,
      accuracyMeters: Double(accuracyMillimeters) / 1_000)
  }
}
