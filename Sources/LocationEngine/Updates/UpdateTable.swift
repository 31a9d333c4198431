import BinnacleBasics
import BinnacleModel

/// The sequences of live updates: the fixes that each sequence gets, and the reports that the location is unavailable.
///
/// The app table decides which clients get locations. A sequence that opens gets the last fix at once if the fix is not
/// older than `freshnessMax`, so that a second app does not wait for the next epoch. No older fix is delivered, nor one from before an allowance.
struct UpdateTable: Equatable, Codable, Sendable {
  /// Clients that have opened a sequence.
  var clients: [Client] = []
  /// Requests with an unknown or repeated sequence, which are errors of a client or of the daemon.
  private(set) var ignoredCount = 0
  let unavailableAfter: Interval
  private let sequencesMax: Int
  let rateHz: Int
  let rateMaxHz: Int
  let dwells: DwellSettings
  private var last = LastFix.none
  /// When a person allowed locations last.
  private var rightGivenAt = Instant.zero
  var coarse = CoarsePlace()
  /// The number of all sequences that were opened.
  private(set) var openedCount = 0
  /// Whether the receiver is off by the engine's decision; a paused sequence then misses no fixes.
  private var arePausesHeld = false
  /// The place where the board rests, or rested when updates last paused.
  var spot: RestSpot?
  /// A count that increases whenever a pause may have changed.
  var pauseTurns = 0
  private var passing = PassedByAddress()

  /// A client and its sequences.
  struct Client: Equatable, Codable, Sendable {
    let id: ClientID
    let peer: Peer
    var sequences: [LiveSequence] = []
  }

  private enum LastFix: Equatable, Codable, Sendable {
    case none
    case some(Fix, at: Instant)
  }

  /// The oldest fix that a sequence gets when it opens.
  static let freshnessMax = Interval.seconds(2)

  init(_ configuration: Configuration) {
    unavailableAfter = max(.milliseconds(1), configuration.navigation.unavailableAfter)
    sequencesMax = configuration.clients.sequencesMax
    rateHz = configuration.navigation.rateHz
    rateMaxHz = max(1, configuration.navigation.rateMaxHz)
    dwells = configuration.motion.dwells
  }

  /// The sequences of a client.
  func sequences(of client: ClientID) -> [LiveSequence] {
    index(of: client).map { clients[$0].sequences } ?? []
  }

  // MARK: Inputs

  /// Removes a client; returns its sequences that stay outstanding.
  mutating func clientLeft(_ client: ClientID) -> [LiveSequence] {
    guard let index = index(of: client) else { return [] }
    pauseTurns &+= 1
    return clients.remove(at: index).sequences.filter(\.isOutstanding)
  }

  /// Whether a client may open this sequence; ends a sequence that the limits do not allow.
  mutating func admits(
    _ id: SequenceID, of client: ClientID, into effects: inout [Effect]
  ) -> Bool {
    let sequences = sequences(of: client)
    guard !sequences.contains(where: { $0.id == id }) else {
      ignoredCount &+= 1
      return false
    }
    openedCount &+= 1
    guard sequences.count < sequencesMax else {
      let reason =
        "a client may have \(sequencesMax) sequences open (SequencesMax= of the board's profile); "
        + "close one first"
      effects.append(.client(client, .endUpdates(id, reason: reason)))
      return false
    }
    return true
  }

  /// Ends a sequence of a client that the app table does not know.
  mutating func refuseUnknown(
    _ id: SequenceID, of client: ClientID, into effects: inout [Effect]
  ) {
    ignoredCount &+= 1
    effects.append(
      .client(client, .endUpdates(id, reason: "this client is not known to the engine")))
  }

  /// Opens a sequence that ``admits(_:of:into:)`` has admitted.
  ///
  /// - Parameters:
  ///   - id: the sequence.
  ///   - configuration: the configuration that the app requests.
  ///   - options: the app's wishes for the sequence.
  ///   - client: the client, with its peer.
  ///   - entitlement: the entitlement of the peer's app.
  ///   - earlier: the outstanding updates that the sequence takes up.
  ///   - now: the instant.
  ///   - effects: gets the updates that are delivered at once.
  mutating func opened(
    _ id: SequenceID, _ configuration: LiveConfiguration, _ options: SequenceOptions = [],
    of client: AppTable.Client, _ entitlement: Entitlement,
    takingUp earlier: OutstandingApp.Absent?, at now: Instant, into effects: inout [Effect]
  ) {
    pauseTurns &+= 1
    let state: LiveSequence.State =
      entitlement.isGranted
      ? .waiting(until: now + unavailableAfter) : .refused(entitlement.obstacles)
    var sequence = LiveSequence(
      id: id, configuration: configuration, options: options,
      dwell: dwells[configuration], state: state, at: now)
    sequence.isKept = entitlement.keepsUpdates(options)
    sequence.isOutstanding = sequence.isKept
    _ = sequence.limit(entitlement.isReduced)
    // A reduced sequence does not pause, so it does not continue a pause.
    let before = options.contains(.reduced) ? nil : earlier
    if entitlement.permitsDelivery {
      begin(&sequence, of: client, takingUp: before, at: now, into: &effects)
    } else if !entitlement.isGranted {
      effects.append(.client(client.id, .deliver([id], entitlement.refusal)))
    } else if let before {
      sequence.goOn(as: before, unavailableAfter: unavailableAfter, at: now)
    }
    if index(of: client.id) == nil { clients.append(Client(id: client.id, peer: client.peer)) }
    guard let index = index(of: client.id) else { return }
    clients[index].sequences.append(sequence)
    // The time limit of a sequence that takes up outstanding updates may have passed.
    if entitlement.isGranted, before != nil { reportUnavailable(index, at: now, into: &effects) }
  }

  private mutating func begin(
    _ sequence: inout LiveSequence, of client: AppTable.Client,
    takingUp before: OutstandingApp.Absent?,
    at now: Instant, into effects: inout [Effect]
  ) {
    if let before { sequence.goOn(as: before, unavailableAfter: unavailableAfter, at: now) }
    if sequence.isReduced {
      guard case .some(let fix, let instant) = last else { return }
      if case .waiting(let until) = sequence.state {
        sequence.state = .waiting(until: max(until, instant + unavailableAfter))
      }
      guard isUsable(instant, at: now) else { return }
      sequence.coarseAt = now
      let update = coarseUpdate(of: fix, isDoor: client.peer.app.isDoor, at: now)
      effects.append(.client(client.id, .deliver([sequence.id], update)))
    } else if sequence.pause.isOlder {
      // The delivery depends on whether the board still rests, so it waits for the next fix.
    } else if case .some(let fix, let instant) = last, isUsable(instant, at: now) {
      _ = sequence.grid.admits(fix.time, rateHz: rate(of: sequence.configuration))
      sequence.state = .waiting(until: max(instant + unavailableAfter, now))
      sequence.pause.fixJudged(at: now)
      effects.append(.client(client.id, .deliver([sequence.id], Update(fix: fix))))
    } else if case .some(_, let instant) = last, case .waiting(let until) = sequence.state {
      // Fixes that arrived while the app was away count for the sequence.
      sequence.state = .waiting(until: max(until, instant + unavailableAfter))
    }
  }

  /// Whether a sequence may begin with the fix of an instant: it is fresh, and no right was given after it.
  private func isUsable(_ instant: Instant, at now: Instant) -> Bool {
    now - instant <= UpdateTable.freshnessMax && instant >= rightGivenAt
  }

  /// A person has allowed locations: sequences that begin from now on get only later fixes.
  mutating func rightGiven(at now: Instant) { rightGivenAt = now }

  /// Closes a sequence; returns the sequence if it was outstanding.
  mutating func closed(_ id: SequenceID, of client: ClientID) -> LiveSequence? {
    guard let index = index(of: client),
      let place = clients[index].sequences.firstIndex(where: { $0.id == id })
    else { return nil }
    pauseTurns &+= 1
    let sequence = clients[index].sequences.remove(at: place)
    return sequence.isOutstanding ? sequence : nil
  }

  /// Applies changed entitlements.
  ///
  /// A sequence whose app lost its entitlement gets the reason. A sequence whose app gained one restarts.
  mutating func entitlementsChanged(
    _ apps: AppTable, at now: Instant, into effects: inout [Effect]
  ) {
    pauseTurns &+= 1
    for client in clients.indices where !clients[client].sequences.isEmpty {
      let entitlement = apps.entitlement(of: clients[client].peer)
      let state: LiveSequence.State =
        entitlement.isGranted
        ? .waiting(until: now + unavailableAfter) : .refused(entitlement.obstacles)
      var told: [SequenceID] = []
      var coarsened: [LiveSequence] = []
      for index in clients[client].sequences.indices {
        let isLimitChanged = clients[client].sequences[index].limit(entitlement.isReduced)
        let isOther = clients[client].sequences[index].obstacles != entitlement.obstacles
        guard isLimitChanged || isOther else { continue }
        let before = clients[client].sequences[index]
        clients[client].sequences[index].restarted(as: state, at: now)
        let id = clients[client].sequences[index].id
        if isOther { told.append(id) }
        if isLimitChanged, clients[client].sequences[index].isReduced, before.isWaiting {
          coarsened.append(before)
        }
      }
      if !entitlement.isGranted {
        deliver(entitlement.refusal, to: told, of: client, into: &effects)
      } else if entitlement.permitsDelivery {
        replaceExactPlace(of: coarsened, of: client, at: now, into: &effects)
      }
    }
  }

  /// Outstanding updates have lapsed, so their pauses no longer count.
  mutating func outstandingLapsed() { pauseTurns &+= 1 }

  /// Delivers a fix to every sequence for which it is due.
  mutating func fixJudged(
    _ fix: Fix, for apps: AppTable, at now: Instant, into effects: inout [Effect]
  ) {
    last = .some(fix, at: now)
    for client in clients.indices where !clients[client].sequences.isEmpty {
      let entitlement = apps.entitlement(of: clients[client].peer)
      guard entitlement.permitsDelivery else { continue }
      if clients[client].sequences.contains(where: \.isReduced) {
        deliverCoarse(fix, to: client, at: now, into: &effects)
      }
      var receivers: [SequenceID] = []
      var pausing: [SequenceID] = []
      for index in clients[client].sequences.indices {
        let id = clients[client].sequences[index].id
        if clients[client].sequences[index].isReduced { continue }
        var sequence = clients[client].sequences[index]
        switch admission(of: fix, to: &sequence, at: now) {
        case .none: break
        case .delivered: receivers.append(id)
        case .last: pausing.append(id)
        }
        clients[client].sequences[index] = sequence
      }
      deliver(Update(fix: fix), to: receivers, of: client, into: &effects)
      pause(pausing, of: client, with: fix, into: &effects)
    }
  }

  private enum Admission {
    case none
    case delivered
    /// The fix with which the sequence pauses.
    case last
  }

  private mutating func admission(
    of fix: Fix, to sequence: inout LiveSequence, at now: Instant
  ) -> Admission {
    let wasUnavailable = sequence.state == .unavailable
    sequence.state = .waiting(until: now + unavailableAfter)
    sequence.pause.fixJudged(at: now)
    if sequence.restJudged(at: now) == .paused { return .last }
    if sequence.pause.isPaused { return .none }
    if sequence.pause.isOlder {
      sequence.pause.fixDelivered()
      pauseTurns &+= 1
    }
    let isAdmitted = sequence.grid.admits(fix.time, rateHz: rate(of: sequence.configuration))
    return isAdmitted || wasUnavailable ? .delivered : .none
  }

  /// Applies the state of the board's rest, after a change or for a new sequence.
  mutating func restJudged(
    for apps: AppTable, at now: Instant,
    isResting: (_ dwell: Interval, _ isPaused: Bool) -> Bool, into effects: inout [Effect]
  ) {
    for client in clients.indices where apps.entitlement(of: clients[client].peer).isAuthorized {
      for index in clients[client].sequences.indices {
        let sequence = clients[client].sequences[index]
        clients[client].sequences[index].isResting = isResting(
          dwells[sequence.configuration], sequence.pause.isPaused)
      }
      guard apps.entitlement(of: clients[client].peer).permitsDelivery else { continue }
      settle(client, at: now, into: &effects)
    }
  }

  /// Pauses and resumes the sequences that are due.
  private mutating func settle(_ client: Int, at now: Instant, into effects: inout [Effect]) {
    guard case .some(let fix, let instant) = last else { return }
    let isPositionKnown = arePausesHeld || now - instant < unavailableAfter
    var pausing: [SequenceID] = []
    for index in clients[client].sequences.indices {
      // No pause begins without a known position; the next fix decides.
      guard isPositionKnown || clients[client].sequences[index].pause.isPaused else { continue }
      if clients[client].sequences[index].isReduced { continue }
      switch clients[client].sequences[index].restJudged(at: now) {
      case .paused: pausing.append(clients[client].sequences[index].id)
      case .resumed:
        pauseTurns &+= 1
        clients[client].sequences[index].state = .waiting(until: now + unavailableAfter)
      case nil: continue
      }
    }
    pause(pausing, of: client, with: fix, into: &effects)
  }

  /// Reports the start of a pause to these sequences.
  private mutating func pause(
    _ pausing: [SequenceID], of client: Int, with fix: Fix, into effects: inout [Effect]
  ) {
    guard !pausing.isEmpty else { return }
    // Keep the place if other sequences already pause because of the same rest.
    if spot == nil || pausedCount == pausing.count { spot = RestSpot(fix) }
    pauseTurns &+= 1
    deliver(Update(fix: fix, flags: .stationary), to: pausing, of: client, into: &effects)
  }

  mutating func deadlineReached(
    for apps: AppTable, at now: Instant, into effects: inout [Effect]
  ) {
    for client in clients.indices {
      let entitlement = apps.entitlement(of: clients[client].peer)
      guard entitlement.isGranted else { continue }
      reportUnavailable(client, at: now, into: &effects)
      if entitlement.permitsDelivery { settle(client, at: now, into: &effects) }
    }
  }

  private mutating func reportUnavailable(
    _ client: Int, at now: Instant, into effects: inout [Effect]
  ) {
    var receivers: [SequenceID] = []
    for index in clients[client].sequences.indices {
      guard case .waiting(let until) = clients[client].sequences[index].state, until <= now,
        !(arePausesHeld && clients[client].sequences[index].pause.isPaused)
      else { continue }
      clients[client].sequences[index].state = .unavailable
      _ = clients[client].sequences[index].restJudged(at: now)
      pauseTurns &+= 1
      receivers.append(clients[client].sequences[index].id)
    }
    let update = Update(fix: nil, flags: .locationUnavailable)
    deliver(update, to: receivers, of: client, into: &effects)
  }

  func deliver(
    _ update: Update, to sequences: [SequenceID], of client: Int, into effects: inout [Effect]
  ) {
    guard !sequences.isEmpty else { return }
    effects.append(.client(clients[client].id, .deliver(sequences, update)))
  }

  /// Holds or releases pauses while the receiver is off or awake for a moment only.
  ///
  /// A paused sequence then gets no report that the location is unavailable.
  mutating func holdPauses(_ areHeld: Bool, at now: Instant) {
    guard areHeld != arePausesHeld else { return }
    arePausesHeld = areHeld
    if areHeld { return }
    for client in clients.indices {
      for index in clients[client].sequences.indices {
        // A sequence that does not pause has been waiting all the time.
        guard clients[client].sequences[index].pause.isPaused,
          case .waiting(let until) = clients[client].sequences[index].state
        else { continue }
        clients[client].sequences[index].state = .waiting(
          until: max(until, now + unavailableAfter))
      }
    }
  }

  // MARK: Answers

  var nextDeadline: Instant? {
    var earliest: Instant?
    for client in clients {
      for sequence in client.sequences {
        guard case .waiting(let until) = sequence.state else { continue }
        if arePausesHeld, sequence.pause.isPaused { continue }
        earliest = earlier(earliest, earlier(until, sequence.pause.nextDeadline))
      }
    }
    return earliest
  }

  /// The last judged fix and its instant.
  var lastFix: (fix: Fix, instant: Instant)? {
    switch last {
    case .none: nil
    case .some(let fix, let instant): (fix, instant)
    }
  }

  private func index(of id: ClientID) -> Int? { clients.firstIndex { $0.id == id } }
}
