import BinnacleBasics
import BinnacleModel

/// The start and the end of sequences of live updates.
extension Engine {
  mutating func open(
    _ sequence: SequenceID, _ configuration: LiveConfiguration, _ options: SequenceOptions = [],
    of id: ClientID, at now: Instant, into effects: inout [Effect]
  ) {
    guard let client = apps.client(id) else {
      return updates.refuseUnknown(sequence, of: id, into: &effects)
    }
    guard updates.admits(sequence, of: id, into: &effects) else { return }
    apps.opened(by: client.peer)
    let entitlement = apps.entitlement(of: client.peer)
    // A denied app takes up no outstanding updates, and its updates do not stay outstanding; the same holds for a search.
    let before =
      entitlement.keepsUpdates(options)
      ? apps.updatesOpened(client.peer.app, configuration, at: now) : nil
    let start = effects.count
    updates.opened(
      sequence, configuration, options, of: client, entitlement, takingUp: before,
      at: now, into: &effects)
    if before != nil {
      deliverWaiting(to: sequence, of: client, configuration, from: start, into: &effects)
    }
  }

  mutating func close(_ sequence: SequenceID, of id: ClientID, at now: Instant) {
    guard let app = apps.client(id)?.peer.app else { return }
    // Locations also wait for the indicator, and a launcher that has stopped may have let a suspended app go on.
    let mayWait = apps.lives[app].map { !$0.queue.isEmpty } ?? false
    if mayWait { apps.lives.change(app) { $0.queue.closed(sequence, of: id) } }
    defer { if mayWait { apps.dropLapsedUpdates(of: app) } }
    guard let closed = updates.closed(sequence, of: id) else { return }
    apps.updatesClosed(app, closed.configuration, at: now)
  }
}
