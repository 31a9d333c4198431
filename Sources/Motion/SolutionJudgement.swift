/// The meaning of a solution's speed for rest and motion, measured against the receiver's own noise.
///
/// Speeds of real receivers at rest: median 0.004 to 0.08 m/s, 95 % below 0.42, under a poor sky 99 % below 0.7.
struct SolutionJudgement: Equatable, Codable, Sendable {
  let speed: Double
  /// One standard deviation: the receiver's own, or the one that its speeds at rest show.
  private let sigma: Double
  private let restSpeed: Double

  /// Nil when the speed does not count: it is missing, or its accuracy is worse than 1 m/s.
  ///
  /// - Parameters:
  ///   - reading: the solution.
  ///   - restSpeed: what this receiver says at rest, in meters per second. The greatest of ten speeds of white noise
  ///     in two directions lies two standard deviations out, so that half of it replaces a missing accuracy.
  init?(_ reading: SolutionReading?, restSpeed: Double = 0) {
    guard let reading, let speed = reading.speed else { return nil }
    let sigma = reading.speedAccuracy ?? restSpeed / 2
    guard sigma <= SolutionJudgement.sigmaMax else { return nil }
    self.speed = speed
    self.sigma = sigma
    self.restSpeed = restSpeed
  }

  private static let sigmaMax = 1.0
  /// A receiver that is less sure than this cannot vouch for rest while the board shakes.
  private static let voucherSigmaMax = 0.5

  /// It vouches for rest even while the accelerometer is active: an idling or occupied car.
  var vouches: Bool { speed < 0.3 && sigma <= SolutionJudgement.voucherSigmaMax }
  /// It denies motion: it says what it said at rest, and little.
  var denies: Bool {
    speed < 0.2 && speed <= restSpeed + 0.05 && sigma <= SolutionJudgement.voucherSigmaMax
  }
  /// Without an accelerometer it is slow enough for a rest.
  var isSlow: Bool { speed < max(0.5, min(1.5 * sigma, 0.7)) }
  /// It does not contradict a rest that the accelerometer measures.
  var allowsRest: Bool { speed <= max(0.7, min(1.5 * sigma, 1)) }
  /// It moves for sure, if it says so for a second.
  var isFast: Bool { speed > max(1, 2 * sigma) }
  /// It begins to move: it stands out from its noise at rest.
  var isRising: Bool { speed > max(restSpeed + 0.2, 2 * sigma) }
  /// It moves for sure, at once.
  var isSudden: Bool { speed > max(0.8, 3 * sigma) }
}
