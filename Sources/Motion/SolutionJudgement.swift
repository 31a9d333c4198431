/// What a solution says about motion, measured against the receiver's own uncertainty.
///
/// Speeds of real receivers at rest: median 0.004 to 0.08 m/s, 95 % below 0.42, under a poor sky 99 % below 0.7.
struct SolutionJudgement: Equatable, Codable, Sendable {
  let speed: Double
  private let sigma: Double

  /// Nil when there is no speed that counts: none, or one that is not sure within 1 m/s.
  init?(_ reading: SolutionReading?) {
    guard let speed = reading?.speed else { return nil }
    let sigma = reading?.speedAccuracy ?? 0
    guard sigma <= SolutionJudgement.sigmaMax else { return nil }
    self.speed = speed
    self.sigma = sigma
  }

  private static let sigmaMax = 1.0
  /// A receiver that is less sure than this cannot vouch for rest while the board shakes.
  private static let voucherSigmaMax = 0.5

  /// It vouches for rest even while the accelerometer is busy: an idling or occupied car.
  var vouches: Bool { speed < 0.3 && sigma <= SolutionJudgement.voucherSigmaMax }
  /// It denies motion: below what real receivers say at rest under an open sky.
  var denies: Bool { speed < 0.2 && sigma <= SolutionJudgement.voucherSigmaMax }
  /// It leans towards rest.
  var isSlow: Bool { speed < max(0.5, min(1.5 * sigma, 0.7)) }
  /// It does not contradict a rest that the accelerometer sees.
  var allowsRest: Bool { speed <= max(0.7, min(1.5 * sigma, 1)) }
  /// It moves for sure, if it says so for a second.
  var isFast: Bool { speed > max(1, 2 * sigma) }
  /// It begins to move, if it says so for three hops.
  var isRising: Bool { speed > max(0.35, 2 * sigma) }
  /// It moves for sure, at once.
  var isSudden: Bool { speed > max(0.8, 3 * sigma) }
}
