import I2C

/// Searches for a known chip: probes one address after the other with reads only.
///
/// At each address the probe reads each possible identity twice. A chip counts only if its register has the same value
/// both times, so that a disturbed bus does not simulate a chip. The probe never writes. It checks the identities of
/// all drivers, even if one driver is selected, so that no chip is taken for another.
struct Probe: Equatable, Sendable {
  private let candidates: [Candidate]
  private let family: ChipFamily?
  private let isSingle: Bool
  private var place = 0
  private var held: I2CFault?
  private var strangers: [String] = []
  /// Known chips that are not of the selected driver.
  private var others: [String] = []

  private struct Candidate: Equatable, Sendable {
    let address: UInt8
    let identities: [Possibility]
  }

  private struct Possibility: Equatable, Sendable {
    let family: ChipFamily
    let identity: ChipIdentity
  }

  /// An identified chip.
  struct Chip: Equatable, Sendable {
    let family: ChipFamily
    let address: UInt8
    let identity: ChipIdentity
    let model: ChipIdentity.Model
  }

  enum Outcome: Equatable, Sendable {
    case check(I2COrder)
    case found(Chip)
    case nothing(AccelerometerFault)
  }

  init(_ settings: AccelerometerSettings) {
    let all = ChipFamily.allCases.flatMap { family in
      family.driver.identities.map { Possibility(family: family, identity: $0) }
    }
    family = settings.family
    let wanted = all.filter { [nil, $0.family].contains(settings.family) }
    if let address = settings.address {
      // If the selected driver expects no chip at this address, the identities of the driver are checked all the same.
      let near = all.filter { $0.identity.addresses.contains(address) }
      let isExpected = wanted.contains { $0.identity.addresses.contains(address) }
      candidates = [
        Candidate(
          address: address,
          identities: isExpected ? near : near + wanted.filter { !near.contains($0) })
      ]
    } else {
      candidates = Probe.addresses.filter { address in
        wanted.contains { $0.identity.addresses.contains(address) }
      }.map { address in
        Candidate(
          address: address, identities: all.filter { $0.identity.addresses.contains(address) })
      }
    }
    isSingle = settings.address != nil
  }

  /// The addresses in the order of the search: addresses that other kinds of chips often use are last.
  private static let addresses: [UInt8] = [
    0x18, 0x19, 0x1C, 0x1D, 0x1E, 0x1F, 0x53, 0x6A, 0x6B, 0x68, 0x69,
  ]

  /// The next step.
  var next: Outcome {
    guard place < candidates.count else { return .nothing(fault) }
    let candidate = candidates[place]
    let transfers = candidate.identities.flatMap { possibility in
      let identity = possibility.identity
      let registers = [identity.register, identity.unlike ?? identity.register]
      return (registers + [identity.register]).map {
        I2CTransfer.read(1, from: $0, of: candidate.address)
      }
    }
    return .check(I2COrder(transfers, retriesMax: 1))
  }

  /// Takes the outcome of an order.
  mutating func orderEnded(_ outcome: I2COrder.Outcome) -> Outcome {
    let candidate = candidates[place]
    place += 1
    if let failure = outcome.failure {
      switch failure.kind {
      case .noAcknowledge, .failed, .arbitrationLost: break
      case .busy: held = held ?? failure
      case .timeOut, .gone, .missing, .notPermitted, .refused:
        return .nothing(AccelerometerFault(failure))
      }
      return next
    }
    for (index, possibility) in candidate.identities.enumerated() {
      let read = outcome.answers[index * 3..<index * 3 + 3].map { $0[0] }
      let identity = possibility.identity
      guard read[0] == read[2], identity.unlike == nil || read[1] != read[0] else { continue }
      if let model = identity.models.first(where: { $0.value == read[0] }) {
        // The identity register of one chip may be another register of another chip. The first match in the order of
        // the drivers counts, whichever driver is selected.
        guard family == nil || family == possibility.family else {
          others.append("\(model.name) at \(Hex.byte(candidate.address))")
          return next
        }
        return .found(
          Chip(
            family: possibility.family, address: candidate.address, identity: identity,
            model: model))
      }
    }
    let told = zip(candidate.identities, stride(from: 0, to: outcome.answers.count, by: 3)).map {
      "register \(Hex.byte($0.identity.register)) reads \(Hex.byte(outcome.answers[$1][0]))"
    }
    strangers.append("\(Hex.byte(candidate.address)): \(told.joined(separator: ", "))")
    return next
  }

  private var fault: AccelerometerFault {
    if let held { return AccelerometerFault(held) }
    if strangers.isEmpty, !others.isEmpty {
      return AccelerometerFault(
        .unknownChip,
        "the chip is not the one that Chip= names: " + others.joined(separator: ", "))
    }
    if strangers.isEmpty {
      let place = isSingle ? " at address \(Hex.byte(candidates[0].address))" : ""
      return AccelerometerFault(.notFound, "no accelerometer answers\(place)")
    }
    return AccelerometerFault(
      .unknownChip, "no driver knows the chip at " + strangers.joined(separator: "; "))
  }
}
