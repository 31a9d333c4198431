public import BinnacleBasics
public import BinnacleModel

/// The time that the board must have rested before the updates of a configuration pause.
public struct DwellSettings: Equatable, Codable, Sendable {
  public var `default` = Interval.seconds(120)
  public var fitness = Interval.seconds(60)
  /// Long enough for traffic lights, level crossings and ferries.
  public var automotiveNavigation = Interval.seconds(300)
  public var otherNavigation = Interval.seconds(300)
  public var airborne = Interval.seconds(300)

  public init() {}

  public subscript(configuration: LiveConfiguration) -> Interval {
    switch configuration {
    case .default: self.default
    case .fitness: fitness
    case .automotiveNavigation: automotiveNavigation
    case .otherNavigation: otherNavigation
    case .airborne: airborne
    }
  }
}
