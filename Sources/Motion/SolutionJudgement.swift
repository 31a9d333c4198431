/// The meaning of a solution's speed for rest and motion, compared with the receiver's own noise.
///
/// Speeds of real receivers at rest: median 0.004 to 0.08 m/s, 95 % below 0.42, with a poor view of the sky 99 % below
/// 0.7.
struct SolutionJudgement: Equatable, Codable, Sendable {
  let speed: Double
  /// One standard deviation: the receiver's own, or the one of its speeds at rest.
  private let sigma: Double
  private let restSpeed: Double

  /// nil if the speed is missing, or its accuracy is worse than 1 m/s.
  ///
  /// - Parameters:
  ///   - reading: the solution.
  ///   - restSpeed: the receiver's speed at rest, in meters per second. The greatest of ten speeds of white noise in
  ///     two directions is about two standard deviations, so half of this speed replaces a missing accuracy.
  init?(_ reading: SolutionReading?, restSpeed: Double = 0) {
    guard let reading, let speed = reading.speed else { return nil }
    let sigma = reading.speedAccuracy ?? restSpeed / 2
    guard sigma <= SolutionJudgement.sigmaMax else { return nil }
    self.speed = speed
    self.sigma = sigma
    self.restSpeed = restSpeed
  }

  private static let sigmaMax = 1.0
  /// The largest standard deviation of a receiver that can confirm rest while the board shakes.
  private static let voucherSigmaMax = 0.5

  /// Whether the speed confirms rest even if the accelerometer is active: an idling or occupied car.
  var vouches: Bool { speed < 0.3 && sigma <= SolutionJudgement.voucherSigmaMax }
  /// Whether the speed denies motion: it is low and not above the speed at rest.
  var denies: Bool {
    speed < 0.2 && speed <= restSpeed + 0.05 && sigma <= SolutionJudgement.voucherSigmaMax
  }
  /// Whether the speed is low enough for a rest without an accelerometer.
  var isSlow: Bool { speed < max(0.5, min(1.5 * sigma, 0.7)) }
  /// Whether the speed agrees with a rest that the accelerometer measures.
  var allowsRest: Bool { speed <= max(0.7, min(1.5 * sigma, 1)) }
  /// Whether the speed shows certain motion if it lasts for a second.
  var isFast: Bool { speed > max(1, 2 * sigma) }
  /// Whether the speed shows a start: it is above the noise at rest.
  var isRising: Bool { speed > max(restSpeed + 0.2, 2 * sigma) }
  /// Whether the speed shows certain motion at once.
  var isSudden: Bool { speed > max(0.8, 3 * sigma) }
}
