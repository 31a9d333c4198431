/// The platform model of the receiver's navigation filter.
///
/// The raw values are those of CFG-NAVSPG-DYNMODEL and of CFG-NAV5.
///
/// Beyond a model's limits the receiver reports no fix at all, so only the models that the live
/// configurations need are here (NEO-F10N integration manual, "Dynamic platform model").
public enum DynamicModel: UInt8, CaseIterable, Codable, Sendable {
  case portable = 0
  case pedestrian = 3
  case automotive = 4
  case airborne1g = 6
  case airborne2g = 7

  /// The model's limit of horizontal speed, in meters per second.
  public var speedMaxMetersPerSecond: Double {
    switch self {
    case .portable: 310
    case .pedestrian: 30
    case .automotive: 100
    case .airborne1g: 100
    case .airborne2g: 250
    }
  }

  /// The model to try when the receiver refuses this one; nil: none is left.
  var fallback: DynamicModel? {
    switch self {
    case .airborne2g: .airborne1g
    case .airborne1g, .pedestrian, .automotive: .portable
    case .portable: nil
    }
  }

  /// The model's name for a person.
  public var name: String {
    switch self {
    case .portable: "portable"
    case .pedestrian: "pedestrian"
    case .automotive: "automotive"
    case .airborne1g: "airborne <1g"
    case .airborne2g: "airborne <2g"
    }
  }
}
