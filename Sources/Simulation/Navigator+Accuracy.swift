/// The accuracy that a receiver reports, as in recordings.
extension Navigator {
  /// The horizontal accuracy in meters, at an age of the stretch of fixes.
  ///
  /// Kilometers at the first position, some 200 m before gnssFixOK, then 25 m, falling to a few meters
  /// (gnssvis-coldstart.ubx: 2,611, 265, 122, 25, 5.9, 3.0, 2.4 m).
  func accuracy(age: Double, confidence: Double, usable: Int) -> Double {
    let count = Double(usable)
    let base = 1.1 + 60 / (count * count) + (usable <= 4 ? 22 : 0)
    if age >= confidence {
      return base + (confidence > 0 ? 22 : 6) / (1 + (age - confidence) / 2)
    }
    return base + (age < 0.4 ? 2_600 : 280 / (1 + age / 4))
  }

  /// Keeps the old position with a growing accuracy after the loss of the signal.
  ///
  /// gnssFixOK and fixType are 0 (gpsd-m10-spg510-glo.log, epochs 251 and 288).
  func hold(_ epoch: inout Epoch, _ last: Epoch, step: Double) {
    epoch.latitudeE7 = last.latitudeE7
    epoch.longitudeE7 = last.longitudeE7
    epoch.heightMillimeters = last.heightMillimeters
    epoch.heightMSLMillimeters = last.heightMSLMillimeters
    let growth = UInt32(1_500 + 5_000 * min(step, 10))
    epoch.horizontalAccuracyMillimeters = min(
      4_000_000_000, last.horizontalAccuracyMillimeters &+ growth)
    epoch.verticalAccuracyMillimeters = min(
      3_750_000_128, last.verticalAccuracyMillimeters &+ growth)
    epoch.velocityNorth = last.velocityNorth
    epoch.velocityEast = last.velocityEast
    epoch.velocityDown = last.velocityDown
    epoch.groundSpeed = last.groundSpeed
    epoch.headingOfMotionE5 = last.headingOfMotionE5
    epoch.speedAccuracy = min(20_000, last.speedAccuracy + 700)
    epoch.headingAccuracyE5 = grown(last.headingAccuracyE5)
  }

  func grown(_ headingAccuracy: UInt32?) -> UInt32 {
    guard let headingAccuracy else { return 18_000_000 }
    return min(18_000_000, headingAccuracy + 7_000)
  }
}
