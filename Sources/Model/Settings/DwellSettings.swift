public import BinnacleBasics

/// The time that the board must have rested before the updates of a configuration pause.
public struct DwellSettings: Equatable, Codable, Sendable {
  /// `DwellDefault`.
  public var `default` = Interval.seconds(120)
  /// `DwellFitness`.
  public var fitness = Interval.seconds(60)
  /// `DwellAutomotive`: longer than traffic lights, level crossings and ferries hold a car.
  public var automotiveNavigation = Interval.seconds(300)
  /// `DwellOther`.
  public var otherNavigation = Interval.seconds(300)
  /// `DwellAirborne`.
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
