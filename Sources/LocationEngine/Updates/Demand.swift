import BinnacleModel

/// The demand of the open sequences on the receiver.
public struct Demand: Equatable, Codable, Sendable {
  /// The navigation rate, in Hz.
  public var rateHz: Int
  /// The dynamic model.
  public var model: DynamicModel

  public init(rateHz: Int, model: DynamicModel) {
    self.rateHz = rateHz
    self.model = model
  }

  /// The demand without any sequence: the lowest rate, which keeps the fix.
  static let idle = Demand(rateHz: 1, model: .portable)

  /// The demand of one configuration.
  init(_ configuration: LiveConfiguration) {
    switch configuration {
    case .default: self.init(rateHz: 1, model: .portable)
    case .fitness: self.init(rateHz: 1, model: .pedestrian)
    case .automotiveNavigation: self.init(rateHz: 2, model: .automotive)
    // Boats, trains and planes; the dynamic model for the sea gives no fix above 500 m.
    case .otherNavigation: self.init(rateHz: 1, model: .portable)
    case .airborne: self.init(rateHz: 2, model: .airborne2g)
    }
  }

  /// The demand that satisfies both demands.
  ///
  /// The rate is the faster rate. If the models differ, the model is portable, or airborne if one of the models is.
  func joined(with other: Demand) -> Demand {
    let rate = max(rateHz, other.rateHz)
    if model == other.model { return Demand(rateHz: rate, model: model) }
    let isAirborne = model == .airborne2g || other.model == .airborne2g
    return Demand(rateHz: rate, model: isAirborne ? .airborne2g : .portable)
  }
}

extension UpdateTable {
  /// The rate of a sequence in Hz: the rate of its configuration, or the board's rate if that is higher.
  func rate(of configuration: LiveConfiguration) -> Int {
    min(max(Demand(configuration).rateHz, rateHz), rateMaxHz)
  }
}
