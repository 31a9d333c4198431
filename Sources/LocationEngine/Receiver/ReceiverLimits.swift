/// The limits of a receiver: refused settings, and the capacity of its line.
struct ReceiverLimits: Equatable, Codable, Sendable {
  /// The settings that this firmware refuses, by name.
  private(set) var unsupported: [String] = []
  /// The fastest navigation rate of the receiver, in Hz.
  private(set) var rateMaxHz = Int.max
  /// Whether the speed of the line can be raised.
  private(set) var canRaise = true

  /// The number of names that are kept.
  static let listMax = 64

  /// - Returns: whether the name is new.
  mutating func refused(_ name: String) -> Bool {
    guard !unsupported.contains(name), unsupported.count < ReceiverLimits.listMax else {
      return false
    }
    unsupported.append(name)
    return true
  }

  mutating func refused(_ model: DynamicModel) -> Bool {
    refused(ReceiverLimits.name(of: model))
  }

  /// The receiver refused a rate, and a slower rate is tried.
  mutating func refusedRate(_ rateHz: Int, limit: Int) -> Bool {
    rateMaxHz = min(rateMaxHz, limit)
    return refused("rate \(rateHz) Hz")
  }

  mutating func lineCarries(rateMaxHz limit: Int) {
    rateMaxHz = min(rateMaxHz, limit)
  }

  mutating func lineStays() {
    canRaise = false
  }

  /// Refused settings are tried again.
  mutating func forgetRefusals() {
    unsupported = []
    rateMaxHz = .max
  }

  /// The part of a demand within the limits.
  func admitted(_ demand: Demand) -> Demand {
    var target = demand
    target.rateHz = max(1, min(target.rateHz, rateMaxHz))
    while unsupported.contains(ReceiverLimits.name(of: target.model)),
      let fallback = target.model.fallback
    {
      target.model = fallback
    }
    return target
  }

  /// The part of a step within the limits; nil: none.
  func admitted(_ step: SetupStep) -> SetupStep? {
    switch step {
    case .values(let items):
      let known = items.filter { !unsupported.contains($0.key.description) }
      return known.isEmpty ? nil : .values(known)
    case .port, .messageRate, .navigationPeriod, .model, .save:
      return unsupported.contains(step.name) ? nil : step
    }
  }

  /// Whether no message for the position is left.
  func refusesCarrier(of plan: SetupPlan) -> Bool {
    plan.essentialSteps.allSatisfy { admitted($0) == nil }
  }

  private static func name(of model: DynamicModel) -> String { "dynamic model " + model.name }
}
