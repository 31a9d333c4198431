import BinnacleBasics

/// The distance of the board from its first position, compared with the receiver's uncertainty.
struct Displacement: Equatable, Codable, Sendable {
  private var anchor: SolutionReading.Place?
  private(set) var meters = 0.0
  private(set) var limitMeters = 0.0
  /// The number of consecutive solutions beyond the limit.
  private(set) var beyondCount = 0
  private var counted: Instant?

  /// Meters per degree of latitude on a sphere with the Earth's mean radius.
  private static let metersPerDegree = 111_195.0

  /// - Parameter anchor: the first position; nil: the position of the first solution.
  init(from anchor: SolutionReading.Place? = nil) {
    self.anchor = anchor
  }

  /// Takes a solution once; without an anchor, the solution becomes the anchor.
  mutating func solutionArrived(
    _ place: SolutionReading.Place?, at instant: Instant?, leastLimitMeters: Double
  ) {
    guard let place, let instant, instant != counted else { return }
    counted = instant
    guard let anchor else {
      self.anchor = place
      return
    }
    let north = (place.latitude - anchor.latitude) * Displacement.metersPerDegree
    let degrees = (place.longitude - anchor.longitude).remainder(dividingBy: 360)
    let east = degrees * Displacement.metersPerDegree * cosine(degrees: anchor.latitude)
    meters = (north * north + east * east).squareRoot()
    limitMeters = max(leastLimitMeters, 2 * max(place.accuracyMeters, anchor.accuracyMeters))
    beyondCount = meters > limitMeters ? beyondCount + 1 : 0
  }

  /// Whether a solution with this time is more than a hop after the last solution.
  func isNext(_ now: Instant) -> Bool {
    counted.map { now - $0 > MotionWindow.hop } ?? true
  }

  /// Starts again with the next solution as the anchor.
  mutating func restart() {
    self = Displacement()
  }
}
