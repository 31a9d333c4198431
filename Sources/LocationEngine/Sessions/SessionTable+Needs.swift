import BinnacleBasics

/// What all open sequences together ask of receiver and accelerometer.
extension SessionTable {
  /// What the receiver should do for all open sequences together.
  public var demand: Demand {
    // Who was here a moment ago and may come back finds the receiver as it was.
    var joined = isOn ? outstanding.demand : nil
    for client in clients where client.isServed && isOn {
      for sequence in client.sequences {
        let demand = Demand(sequence.configuration)
        joined = joined.map { $0.joined(with: demand) } ?? demand
      }
    }
    var demand = joined ?? .idle
    demand.rateHz = max(1, min(max(demand.rateHz, rateHz), rateMaxHz))
    return demand
  }

  /// Whether anybody gets positions.
  var areFixesWanted: Bool {
    isOn
      && (outstanding.demand != nil || clients.contains { $0.isServed && !$0.sequences.isEmpty })
  }

  /// What the open sequences need of the receiver.
  var need: PowerNeed {
    guard isOn else { return .nobody }
    var need = outstanding.need
    if need == .updates { return need }
    for client in clients where client.isServed {
      for sequence in client.sequences {
        guard sequence.pause.isPaused else { return .updates }
        need = .rest
      }
    }
    return need
  }
}
