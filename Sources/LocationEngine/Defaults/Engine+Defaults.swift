import BinnacleBasics
import BinnacleModel
import StateLog

/// The defaults of apps: reads, changes, and reports of changes.
extension Engine {
  // MARK: Reading

  /// Answers with all defaults of the client's app.
  mutating func openDefaults(
    for client: ClientID, request: UInt32, into effects: inout [Effect]
  ) {
    guard let app = apps.client(client)?.peer.app else { return }
    guard DefaultsKey.objection(to: app) == nil else {
      return refuseStranger(app, client, request: request, into: &effects)
    }
    let watcher = DefaultsService.Watcher(client: client, app: app, request: request)
    defaults.opened(watcher)
    guard let obstacle = storage.state.readingObstacle else {
      return sendAll(watcher, into: &effects)
    }
    // The client gets all defaults as soon as the log can be read.
    let refusal = DefaultsRefusal(.notKept, "the stored defaults cannot be read: \(obstacle)")
    effects.append(.client(client, .defaultsSettled(request: request, refusal)))
  }

  /// The log was read for the first time, or again.
  mutating func defaultsRead(into effects: inout [Effect]) {
    for watcher in defaults.watchers { sendAll(watcher, into: &effects) }
  }

  private func sendAll(_ watcher: DefaultsService.Watcher, into effects: inout [Effect]) {
    guard let key = DefaultsKey(watcher.app) else { return }
    let entries = storage.state.records.entries.compactMap { record -> DefaultsEntry? in
      // A value in the format of a newer version stays in the log, and is not reported.
      guard let own = key.key(of: record.name), let value = DefaultsValue(encoded: record.value)
      else { return nil }
      return DefaultsEntry(own, value)
    }
    effects.append(
      .client(
        watcher.client,
        .defaults(
          request: watcher.request,
          entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })))
  }

  // MARK: Changing

  /// Takes a piece of a change of defaults; the last piece decides the change.
  mutating func setDefaults(
    _ entries: [DefaultsEntry], isLast: Bool, for client: ClientID, request: UInt32,
    into effects: inout [Effect]
  ) {
    guard let app = apps.client(client)?.peer.app else { return }
    guard let key = DefaultsKey(app) else {
      if isLast { refuseStranger(app, client, request: request, into: &effects) }
      return
    }
    // A change that arrives while the daemon stops is not answered; the client sends it again to the next daemon.
    guard !defaults.isStopping, let whole = defaults.take(entries, isLast: isLast, from: client)
    else { return }
    let refusal: DefaultsRefusal?
    switch whole {
    case .failure(let error): refusal = error
    case .success where defaults.isWaiting(for: client):
      refusal = DefaultsRefusal(
        .limitReached, "a change of this client is not settled; wait for its answer")
    case .success(let entries):
      let changes = DefaultsService.changes(entries, of: key, over: storage.state.records, defaults)
      if changes.isEmpty {
        return effects.append(.client(client, .defaultsSettled(request: request, nil)))
      }
      refusal = defaults.objection(to: changes, of: key.owner, in: storage.state.records).map {
        DefaultsRefusal(.limitReached, $0)
      }
      let requester = DefaultsService.Requester(client: client, request: request)
      if refusal == nil { defaults.add(changes, of: app, for: requester) }
    }
    if let refusal {
      defaults.refused()
      effects.append(.client(client, .defaultsSettled(request: request, refusal)))
    }
  }

  private func refuseStranger(
    _ app: AppID, _ client: ClientID, request: UInt32, into effects: inout [Effect]
  ) {
    let refusal = DefaultsRefusal(.notPermitted, DefaultsKey.objection(to: app) ?? "")
    effects.append(.client(client, .defaultsSettled(request: request, refusal)))
  }

  // MARK: Commits

  /// Passes the changes that may be written to the log; called after every event.
  mutating func keepDefaults(at now: Instant, into effects: inout [Effect]) {
    while let (number, batch) = defaults.next(over: storage.state.records, at: now) {
      // Changes that were pending at the check of this change may have failed since, so the room is checked again.
      if let owner = DefaultsKey(batch.app)?.owner,
        let objection = defaults.objectionToUnsettled(of: owner, in: storage.state.records)
      {
        defaultsRefused(number, DefaultsRefusal(.limitReached, objection), into: &effects)
        continue
      }
      let records = storage.state.records
      let growth = batch.changes.reduce(0) { $0 + max(0, records.growth(by: $1)) }
      if growth > 0 { makeRoom(for: growth, at: now, into: &effects) }
      let decision = Decision(
        .gives, changes: batch.changes, then: [StateOrder.acknowledgeDefaults(number)])
      follow(
        storage.state.decide(decision, for: .app(number), at: now, into: &effects), at: now,
        into: &effects)
    }
  }

  /// The change is on the disk, so the clients are answered now.
  mutating func defaultsKept(_ number: UInt32, into effects: inout [Effect]) {
    guard let batch = defaults.settled(number), let key = DefaultsKey(batch.app) else { return }
    for requester in batch.requesters {
      effects.append(.client(requester.client, .defaultsSettled(request: requester.request, nil)))
    }
    let entries = batch.changes.compactMap { change -> DefaultsEntry? in
      guard let own = key.key(of: change.name) else { return nil }
      switch change.action {
      case .remove: return DefaultsEntry(own, nil)
      case .put(let value, _): return DefaultsEntry(own, DefaultsValue(encoded: value))
      }
    }
    for watcher in defaults.watchers
    where watcher.app == batch.app && watcher.client != batch.author {
      effects.append(.client(watcher.client, .defaultsChanged(entries)))
    }
  }

  mutating func defaultsRefused(
    _ number: UInt32, _ refusal: DefaultsRefusal, into effects: inout [Effect]
  ) {
    guard let batch = defaults.settled(number) else { return }
    defaults.refused()
    if batch.requesters.isEmpty {
      effects.append(
        .log(.warning, "defaults of \(batch.app): a change is not kept: \(refusal.text)"))
    }
    for requester in batch.requesters {
      effects.append(
        .client(requester.client, .defaultsSettled(request: requester.request, refusal)))
    }
  }
}

extension DefaultsService {
  /// The changes that entries make, with the last value of each key; empty if nothing changes and no change waits.
  fileprivate static func changes(
    _ entries: [DefaultsEntry], of key: DefaultsKey, over records: RecordSet,
    _ service: DefaultsService
  ) -> [Change] {
    let unsettled = service.unsettled
    var changes: [Change] = []
    for entry in entries {
      guard let name = key.named(entry.key) else { continue }
      let isCautious = RecordTable.appDefaults.isCautious
      let action = entry.value.map { Change.Action.put($0.encoded, isCautious: isCautious) }
      changes.removeAll { $0.name == name }
      changes.append(Change(name, action ?? .remove))
    }
    return changes.filter { change in
      // A change of a name with a pending change is committed after it, even if the stored value is equal.
      !records.isUnchanged(by: change) || unsettled.contains { $0.name == change.name }
    }
  }

  /// Adds the number of stored values, and of pending and refused changes.
  func add(to report: inout Report, _ records: RecordSet) {
    let count = records.count(ofKind: RecordTable.appDefaults.number)
    report.add(.defaultsValues, Int64(count))
    report.add(.defaultsWaiting, Int64(unsettled.count))
    report.add(.defaultsRefused, Int64(refusedCount))
  }
}
