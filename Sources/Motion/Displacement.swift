import BinnacleBasics

/// How far a body has come from where it was first seen, in the receiver's own uncertainty.
struct Displacement: Equatable, Codable, Sendable {
  private var anchor: SolutionReading.Place?
  private(set) var meters = 0.0
  private(set) var limitMeters = 0.0
  /// Solutions in a row that were beyond the limit.
  private(set) var beyondCount = 0
  private var counted: Instant?

  /// Meters of a degree of latitude on a sphere of the Earth's mean radius.
  private static let metersPerDegree = 111_195.0

  /// - Parameter anchor: where it was first seen; nil: where the first solution says.
  init(from anchor: SolutionReading.Place? = nil) {
    self.anchor = anchor
  }

  /// Measures a solution, once; without an anchor it is the anchor.
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

  /// Whether a solution of now is more than a hop after the one that was measured last.
  func isNext(_ now: Instant) -> Bool {
    counted.map { now - $0 > MotionWindow.hop } ?? true
  }

  /// Starts anew from the next solution.
  mutating func restart() {
    self = Displacement()
  }
}
