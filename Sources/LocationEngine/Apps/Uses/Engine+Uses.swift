import BinnacleBasics
import BinnacleModel

/// The indicator, and the record of the use of locations.
extension Engine {
  /// Lights the indicator while it is due; a change of its state changes the rights of apps in the background.
  mutating func settleLight(at now: Instant, into effects: inout [Effect]) {
    // A method of the engine as the argument would copy the whole engine.
    let clients = updates.clients
    let isDue = apps.isLightDue { clients.haveUpdates(for: $0) }
    panel.showUse(isDue, at: now, into: &effects)
    let state = panel.indicatorLight.state
    guard state != apps.light else { return }
    let before = apps.light.failure
    apps.light = state
    day.note(.light, state.dayState, at: now)
    if let failure = state.failure, before == nil {
      effects.append(
        .log(.error, "no app in the background gets locations, because \(failure)"))
    } else if before != nil, state.failure == nil {
      effects.append(.log(.notice, "the indicator can be lit again"))
    }
    rightsChanged(at: now, into: &effects)
  }

  /// Begins and ends uses after a change of rights.
  mutating func settleUses(at now: Instant) {
    var present: [LocationUse] = []
    func add(_ app: AppID, _ right: UseRight) {
      let use = LocationUse(
        app: app, right: right, isInBackground: isInBackground(app), since: now, time: time(at: now)
      )
      if !present.contains(where: { $0.isSame(as: use) }) { present.append(use) }
    }
    for client in updates.clients where !client.sequences.isEmpty {
      let entitlement = apps.entitlement(of: client.peer)
      if entitlement.permitsDelivery, let right = entitlement.right {
        add(client.peer.app, right)
      }
    }
    if apps.light == .lit {
      for (app, right) in apps.backgroundRights where right != .foreground { add(app, right) }
    }
    if present.isEmpty, uses.uses.isEmpty { return }
    uses.settle(present, isLampVerified: apps.light == .lit, time: time(at: now), at: now)
  }

  /// Whether the use of locations by an app is background use; a program without a manifest gets locations only in the foreground.
  func isInBackground(_ app: AppID) -> Bool {
    switch app {
    case .listed, .door: !apps.isInFront(app)
    case .unlisted, .unresolved: false
    }
  }

  /// Counts the locations among the effects of an event.
  mutating func countDeliveries(_ effects: ArraySlice<Effect>, at now: Instant) {
    for case .client(let id, .deliver(_, let update)) in effects where update.fix != nil {
      if let peer = apps.client(id)?.peer {
        uses.delivered(to: peer.app, isOperator: peer.isOperator, at: now)
      }
    }
  }

  /// Writes the sessions and the epochs that are due.
  mutating func noteSessions(at now: Instant, into effects: inout [Effect]) {
    guard !storage.state.isBusy || storage.state.isStopping else { return }
    for note in apps.takeSessionNotes(at: now) {
      keep(note.kind, key: note.key, value: note.value, at: now, into: &effects)
    }
    for note in uses.epochs.takeNotes(at: now, time: time(at: now)) {
      keep(RecordTable.backgroundEpoch, key: note.key, value: note.value, at: now, into: &effects)
    }
  }

  /// When the next record of sessions or epochs is due; nil while the disk is busy.
  var sessionsDue: Instant? {
    storage.state.isBusy ? nil : earlier(apps.sessions.nextWrite, uses.epochs.nextWrite)
  }
}

extension UpdateTable {
  /// The sequences of an app; the sequences of an operator's tool are not sequences of its program.
  func sequences(of app: AppID) -> [LiveSequence] {
    clients.filter { $0.isProcess(of: app) }.flatMap(\.sequences)
  }

  /// Whether an app has updates open.
  func isOpen(for app: AppID) -> Bool { clients.haveUpdates(for: app) }
}

extension [UpdateTable.Client] {
  fileprivate func haveUpdates(for app: AppID) -> Bool {
    contains { $0.isProcess(of: app) && !$0.sequences.isEmpty }
  }
}

extension UpdateTable.Client {
  fileprivate func isProcess(of app: AppID) -> Bool { peer.app == app && !peer.isOperator }
}
