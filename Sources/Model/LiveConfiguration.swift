/// The purpose of a sequence of live updates; the names are those of `CLLocationUpdate.LiveConfiguration`.
///
/// The raw values are part of the wire protocol and of traces: their meaning never changes.
public enum LiveConfiguration: UInt8, CaseIterable, Codable, Sendable {
  case `default` = 0
  case automotiveNavigation = 1
  case otherNavigation = 2
  case fitness = 3
  case airborne = 4

  /// The configuration with Apple's name.
  public init?(name: String) {
    guard let match = LiveConfiguration.allCases.first(where: { $0.name == name }) else {
      return nil
    }
    self = match
  }

  /// Apple's name of the case.
  public var name: String {
    switch self {
    case .default: "default"
    case .automotiveNavigation: "automotiveNavigation"
    case .otherNavigation: "otherNavigation"
    case .fitness: "fitness"
    case .airborne: "airborne"
    }
  }
}
