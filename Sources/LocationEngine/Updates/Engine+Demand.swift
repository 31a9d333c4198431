import BinnacleBasics
import BinnacleModel

/// The joint demand of the apps on the receiver and the accelerometer.
///
/// The apps are those with open sequences, and those that may take up outstanding updates soon.
extension Engine {
  /// The demand on the receiver, for all apps together.
  var demand: Demand {
    // An app that left and connects again soon finds the receiver in the same state.
    var joined = awaitedDemand
    for sequence in entitledSequences {
      let demand = Demand(sequence.configuration)
      joined = joined.map { $0.joined(with: demand) } ?? demand
    }
    var demand = joined ?? .idle
    demand.rateHz = max(1, min(max(demand.rateHz, updates.rateHz), updates.rateMaxHz))
    return demand
  }

  /// The demand of absent apps that may connect again soon; nil if no app is awaited.
  var awaitedDemand: Demand? {
    apps.awaited.map { Demand($0.configuration) }.reduce(nil) { joined, demand in
      joined.map { $0.joined(with: demand) } ?? demand
    }
  }

  /// Whether an app gets positions, or may take up its updates soon.
  var areFixesWanted: Bool {
    !apps.awaited.isEmpty || entitledSequences.contains { _ in true }
  }

  /// The need of the apps for the receiver to be on.
  var need: PowerNeed {
    var need = PowerNeed.noClient
    for absent in apps.awaited {
      guard absent.pause.isPaused else { return .updates }
      need = .rest
    }
    // An iterator would copy each client.
    for index in updates.clients.indices
    where apps.entitlement(of: updates.clients[index].peer).isGranted {
      for sequence in updates.clients[index].sequences {
        guard sequence.pause.isPaused else { return .updates }
        need = .rest
      }
    }
    return need
  }

  /// The rest times that configurations need, for each configuration that is open or may be taken up soon.
  var dwellsInUse: [RestWatch.WantedDwell] {
    var found: [RestWatch.WantedDwell] = []
    func want(_ configuration: LiveConfiguration, isOlder: Bool) {
      let dwell = updates.dwells[configuration]
      let wanted = RestWatch.WantedDwell(dwell: dwell, spot: isOlder ? updates.spot : nil)
      guard let index = found.firstIndex(where: { $0.dwell == dwell }) else {
        return found.append(wanted)
      }
      if found[index].spot == nil { found[index] = wanted }
    }
    for sequence in entitledSequences {
      want(sequence.configuration, isOlder: sequence.pause.isOlder)
    }
    for absent in apps.awaited { want(absent.configuration, isOlder: absent.pause.isPaused) }
    return found
  }

  /// The record of the rest, for configurations of which all outstanding sequences pause.
  var restToKeep: RestRecord? {
    guard let spot = updates.spot else { return nil }
    var pausing: [LiveConfiguration] = []
    var others: [LiveConfiguration] = []
    func add(_ configuration: LiveConfiguration, isPaused: Bool) {
      if isPaused { pausing.append(configuration) } else { others.append(configuration) }
    }
    for sequence in updates.clients.flatMap(\.sequences) where sequence.isOutstanding {
      add(sequence.configuration, isPaused: sequence.pause.isPausedOrOlder)
    }
    for absent in apps.outstanding.apps.flatMap(\.absent) {
      add(absent.configuration, isPaused: absent.pause.isPaused)
    }
    return RestRecord(spot, pausing: pausing.filter { !others.contains($0) })
  }

  /// Open sequences whose apps get locations.
  private var entitledSequences: some Sequence<LiveSequence> {
    updates.clients.lazy.filter { apps.entitlement(of: $0.peer).isGranted }.flatMap(\.sequences)
  }
}
