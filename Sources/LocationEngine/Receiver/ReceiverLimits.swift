/// What a receiver was found to lack: what it refused, and what its line does not carry.
struct ReceiverLimits: Equatable, Codable, Sendable {
  /// What this firmware refuses, by name.
  private(set) var unsupported: [String] = []
  /// What it navigates at the most, in Hz.
  private(set) var rateMaxHz = Int.max
  /// Whether its line can be made faster.
  private(set) var canRaise = true

  /// So many names are kept.
  static let listMax = 64

  /// - Returns: whether it is news.
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

  /// A rate was refused, and a slower one is tried in its place.
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

  /// What was refused is asked for again.
  mutating func forgetRefusals() {
    unsupported = []
    rateMaxHz = .max
  }

  /// What is left of a demand.
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

  /// What is left of a step; nil: nothing.
  func admitted(_ step: SetupStep) -> SetupStep? {
    switch step {
    case .values(let items):
      let known = items.filter { !unsupported.contains($0.key.description) }
      return known.isEmpty ? nil : .values(known)
    case .port, .messageRate, .navigationPeriod, .model, .save:
      return unsupported.contains(step.name) ? nil : step
    }
  }

  /// Whether nothing is left of what carries the position.
  func refusesCarrier(of plan: SetupPlan) -> Bool {
    plan.essentialSteps.allSatisfy { admitted($0) == nil }
  }

  private static func name(of model: DynamicModel) -> String { "dynamic model " + model.name }
}
