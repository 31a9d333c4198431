import BinnacleBasics

/// The distance of the board from its first accurate position, compared with the receiver's uncertainty.
struct Displacement: Equatable, Codable, Sendable {
  private var anchor: SolutionReading.Place?
  /// The position of the newest solution.
  private var newest: SolutionReading.Place?
  private(set) var meters = 0.0
  private(set) var limitMeters = 0.0
  /// The number of consecutive solutions beyond the limit.
  private(set) var beyondCount = 0
  private var counted: Instant?

  /// Meters per degree of latitude on a sphere with the Earth's mean radius.
  private static let metersPerDegree = 111_195.0
  /// A position replaces the anchor if its accuracy is better by this factor.
  ///
  /// Each replacement moves the anchor by less than the limit, and the factor bounds the number of replacements.
  private static let betterFactor = 0.7

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
    newest = place
    guard let anchor else {
      self.anchor = place
      return
    }
    meters = Displacement.meters(from: anchor, to: place)
    limitMeters = Displacement.limitMeters(anchor, place, least: leastLimitMeters)
    beyondCount = meters > limitMeters ? beyondCount + 1 : 0
    // A search begins with inaccurate positions; the limit follows the best position of the rest.
    if beyondCount == 0, place.accuracyMeters < Displacement.betterFactor * anchor.accuracyMeters {
      self.anchor = place
    }
  }

  /// Compares a position with the position of the newest solution.
  ///
  /// - Parameters:
  ///   - place: the first position after a time without measurements; nil: the solution has no position.
  ///   - leastLimitMeters: a shorter distance is never another place.
  /// - Returns: whether the position is certainly another place.
  func isElsewhere(_ place: SolutionReading.Place?, leastLimitMeters: Double) -> Bool {
    guard let place, let newest else { return false }
    return Displacement.meters(from: newest, to: place)
      > Displacement.limitMeters(newest, place, least: leastLimitMeters)
  }

  private static func meters(
    from start: SolutionReading.Place, to end: SolutionReading.Place
  ) -> Double {
    let north = (end.latitude - start.latitude) * metersPerDegree
    let degrees = (end.longitude - start.longitude).remainder(dividingBy: 360)
    let east = degrees * metersPerDegree * cosine(degrees: start.latitude)
    return (north * north + east * east).squareRoot()
  }

  private static func limitMeters(
    _ start: SolutionReading.Place, _ end: SolutionReading.Place, least: Double
  ) -> Double {
    max(least, 2 * max(end.accuracyMeters, start.accuracyMeters))
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
