import BinnacleBasics
import BinnacleModel

/// The consequences of an app's rights for its sequences: which stay outstanding, and which get a coarse place.
extension UpdateTable {
  /// A sequence that is outstanding from now on, or is no longer outstanding.
  struct OutstandingChange: Equatable {
    let app: AppID
    let configuration: LiveConfiguration
    let isOutstanding: Bool
  }

  /// Makes the sequences of apps with authorization outstanding, and ends that state for all other apps.
  ///
  /// A sequence that an operator has erased from the outstanding ones stays erased.
  mutating func takeOutstandingChanges(_ apps: AppTable) -> [OutstandingChange] {
    var changes: [OutstandingChange] = []
    for client in clients.indices {
      let entitlement = apps.entitlement(of: clients[client].peer)
      for index in clients[client].sequences.indices {
        let sequence = clients[client].sequences[index]
        let keepsUpdates = entitlement.keepsUpdates(sequence.options)
        guard sequence.isKept != keepsUpdates else { continue }
        clients[client].sequences[index].isKept = keepsUpdates
        guard sequence.isOutstanding != keepsUpdates else { continue }
        clients[client].sequences[index].isOutstanding = keepsUpdates
        changes.append(
          OutstandingChange(
            app: clients[client].peer.app, configuration: sequence.configuration,
            isOutstanding: keepsUpdates))
      }
    }
    return changes
  }

  /// Delivers the cell of the board to every reduced sequence of a client for which it is due.
  ///
  /// A sequence of a door gets the cell with each fix, because readers of a door take silence for a broken line.
  mutating func deliverCoarse(
    _ fix: Fix, to client: Int, at now: Instant, into effects: inout [Effect]
  ) {
    let isDoor = clients[client].peer.app.isDoor
    var receivers: [SequenceID] = []
    for index in clients[client].sequences.indices
    where clients[client].sequences[index].isReduced {
      let sequence = clients[client].sequences[index]
      let isDue =
        isDoor
        ? clients[client].sequences[index].grid.admits(
          fix.time, rateHz: rate(of: sequence.configuration))
        : sequence.coarseAt.map { now - $0 >= CoarsePlace.lifetime } ?? true
      clients[client].sequences[index].state = .waiting(until: now + unavailableAfter)
      guard isDue || sequence.state == .unavailable else { continue }
      clients[client].sequences[index].coarseAt = now
      receivers.append(sequence.id)
    }
    guard !receivers.isEmpty else { return }
    deliver(
      coarseUpdate(of: fix, isDoor: isDoor, at: now), to: receivers, of: client, into: &effects)
  }

  /// Delivers the cell of the board in place of the exact place that sequences of a door had until now.
  ///
  /// A door repeats its last place once a second, also while the receiver sleeps and no fix comes.
  ///
  /// - Parameters:
  ///   - sequences: the sequences as they were.
  ///   - client: the place of their client.
  ///   - now: the instant.
  ///   - effects: gets the updates.
  mutating func replaceExactPlace(
    of sequences: [LiveSequence], of client: Int, at now: Instant, into effects: inout [Effect]
  ) {
    guard clients[client].peer.app.isDoor, let last = lastFix else { return }
    for sequence in sequences {
      let isPaused = sequence.pause.isPaused
      guard isPaused || now - last.instant < unavailableAfter else { continue }
      var fix = last.fix
      fix.time = fix.time + (now - last.instant)
      var update = coarseUpdate(of: fix, isDoor: true, at: now)
      if isPaused { update.flags.insert(.stationary) }
      deliver(update, to: [sequence.id], of: client, into: &effects)
    }
  }

  /// The update with the cell of the board; for a door with the time of the fix, so that the time of a reader is right.
  mutating func coarseUpdate(of fix: Fix, isDoor: Bool, at now: Instant) -> Update {
    var place = coarse.fix(of: fix, at: now)
    if isDoor { place.time = fix.time }
    return Update(fix: place, flags: .accuracyLimited)
  }
}
