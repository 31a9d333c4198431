import BinnacleBasics
import BinnacleModel
import StateLog

/// The switch of location services, and losses of state that keep them off.
extension Engine {
  func reportLoss(
    _ reading: StateReading, isFirst: Bool, into effects: inout [Effect]
  ) {
    if reading.obstacle == nil,
      reading.withheld.contains(RecordName(kind: RecordTable.locationServices.number))
    {
      // Until the loss is accepted, 'services on' is refused.
      let remedy =
        apps.services.damage == nil
        ? "'binnacle services on' turns them on"
        : "first 'sudo binnacle state accept' accepts the loss ('binnacle state accept' for the daemon of an "
          + "ordinary user), then 'binnacle services on' turns them on"
      effects.append(
        .log(
          .warning,
          "location services: off, because the last decision on them is lost; \(remedy)"))
    }
    // An attempt to read the state is repeated after a failure; the loss is reported once.
    guard let damage = apps.services.damage, isFirst || reading.obstacle == nil else { return }
    effects.append(.log(.error, "state: \(inWords(damage: damage))"))
  }

  /// Names the lost commits or the unreadable state, the consequence and the remedy.
  private func inWords(damage: String) -> String {
    storage.state.readingObstacle == nil
      ? "\(damage); location services stay off until the loss is accepted: binnacle state accept"
      : "\(damage); location services stay off until the daemon can read its state, or until an operator gives the state "
        + "up: binnacle state accept"
  }

  func addDamage(to report: inout Report) {
    guard let damage = apps.services.damage else { return }
    report.add(.stateDamage, inWords(damage: damage))
  }

  /// An operator accepts the loss.
  mutating func acceptDamage(
    for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) {
    guard apps.services.damage != nil, storage.state.readingObstacle == nil else {
      acceptDamage(at: now, into: &effects)
      return reportCommit(
        .init(orders: [.acceptDamage], requester: requester, failure: nil), into: &effects)
    }
    let settled = storage.state.decide(
      apps.services.acceptance, for: requester, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
  }

  mutating func acceptDamage(at now: Instant, into effects: inout [Effect]) {
    guard let damage = apps.services.damage else { return }
    effects.append(.log(.notice, "state: the loss is accepted: \(damage)"))
    let isReadable = storage.state.readingObstacle == nil
    apps.lossAccepted()
    changeServices(at: now, into: &effects) { $0.acceptDamage(isReadable: isReadable) }
    rightsChanged(at: now, into: &effects)
  }

  // MARK: Location services

  mutating func setServices(
    isOn: Bool, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) {
    if isOn, let damage = apps.services.damage {
      let reason = StorageFault(.closed, inWords(damage: damage))
      return reportCommit(.init(orders: [], requester: requester, failure: reason), into: &effects)
    }
    let settled = storage.state.decide(
      apps.services.decision(isOn: isOn), for: requester, at: now, into: &effects)
    follow(settled, at: now, into: &effects)
  }

  /// A person has allowed locations: no app gets a fix or a sky from before.
  mutating func rightGiven(at now: Instant) {
    updates.rightGiven(at: now)
    sky.forget()
  }

  mutating func changeServices(
    at now: Instant, into effects: inout [Effect], _ change: (inout ServiceSwitch) -> Void
  ) {
    let before = apps.services.isOn
    change(&apps.services)
    guard apps.services.isOn != before else { return }
    if apps.services.isOn { rightGiven(at: now) }
    effects.append(.log(.notice, "location services: \(apps.services.isOn ? "on" : "off")"))
    rightsChanged(at: now, into: &effects)
  }
}
