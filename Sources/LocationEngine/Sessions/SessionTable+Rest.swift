import BinnacleBasics
import BinnacleModel
import StateLog

/// What the board's rest is to sequences, and what is kept of it.
extension SessionTable {
  /// How long the board must have rested, of each configuration that is open or may be taken up soon.
  var dwellsInUse: [RestWatch.WantedDwell] {
    guard isOn else { return [] }
    var found: [RestWatch.WantedDwell] = []
    func want(_ configuration: LiveConfiguration, isOlder: Bool) {
      let dwell = dwells[configuration]
      let wanted = RestWatch.WantedDwell(dwell: dwell, spot: isOlder ? spot : nil)
      guard let index = found.firstIndex(where: { $0.dwell == dwell }) else {
        return found.append(wanted)
      }
      if found[index].spot == nil { found[index] = wanted }
    }
    for client in clients where client.isServed {
      for sequence in client.sequences {
        want(sequence.configuration, isOlder: sequence.pause.isOlder)
      }
    }
    for app in outstanding.apps {
      for absent in app.absent where absent.wait.end != nil {
        want(absent.configuration, isOlder: absent.pause.isPaused)
      }
    }
    return found
  }

  /// What is to be kept of the rest: it counts for configurations of which all outstanding sequences pause.
  var restToKeep: RestRecord? {
    guard let spot else { return nil }
    var pausing: [LiveConfiguration] = []
    var others: [LiveConfiguration] = []
    for client in clients where client.isServed {
      for sequence in client.sequences where sequence.isOutstanding {
        if sequence.pause.isPausedOrOlder {
          pausing.append(sequence.configuration)
        } else {
          others.append(sequence.configuration)
        }
      }
    }
    for app in outstanding.apps {
      for absent in app.absent {
        if absent.pause.isPaused {
          pausing.append(absent.configuration)
        } else {
          others.append(absent.configuration)
        }
      }
    }
    return RestRecord(spot, pausing: pausing.filter { !others.contains($0) })
  }

  /// Takes what an earlier run has kept of a rest.
  mutating func restKept(in reading: StateReading, into effects: inout [Effect]) -> RestRecord? {
    let name = RecordName(kind: RecordTable.rest.number)
    guard let value = reading.records[name] else { return nil }
    guard let record = RestRecord(bytes: value) else {
      effects.append(.log(.warning, "state: the last rest cannot be read, going on without it"))
      return nil
    }
    pauseTurns &+= 1
    if spot == nil { spot = record.spot }
    return record
  }
}
