public import BinnacleBasics
public import BinnacleModel

/// The clients with their sequences of live updates: who gets which fix, and who is told that there is none.
///
/// Until apps have grants, only root and the daemon's own user are served; every other peer's sequences get
/// one update that says `authorizationDenied` and nothing else. A sequence that opens gets the last fix at once when that is
/// not older than `freshnessMax`, so that a second program does not wait for the next epoch; an older one is
/// history and is not delivered as news.
public struct SessionTable: Equatable, Codable, Sendable {
  public private(set) var clients: [Client] = []
  /// What was asked for that the table does not know or already has: a client's mistake, or ours.
  public private(set) var ignoredCount = 0
  private let daemonUserID: UInt32
  private let unavailableAfter: Interval
  private let sequencesMax: Int
  let rateHz: Int
  let rateMaxHz: Int
  private(set) var outstanding: OutstandingUpdates
  let dwells: DwellSettings
  private var last = LastFix.none
  /// Sequences that were ever opened.
  private(set) var openedCount = 0
  /// Whether the receiver is off on purpose, so that who pauses misses nothing.
  private var arePausesHeld = false
  /// Where the board rests, or did when updates paused last.
  var spot: RestSpot?
  /// How often what is known of pauses may have changed.
  var pauseTurns = 0
  /// Whether location services are on.
  private(set) var isOn = true

  public struct Client: Equatable, Codable, Sendable {
    public let id: ClientID
    public let program: String
    public let userID: UInt32
    public let processID: Int32
    public let app: AppID
    public let isServed: Bool
    public internal(set) var sequences: [LiveSequence] = []
  }

  private enum LastFix: Equatable, Codable, Sendable {
    case none
    case some(Fix, at: Instant)
  }

  /// More clients than the daemon ever lets in; sequences of those beyond are ended.
  public static let clientsMax = 256
  /// The oldest fix that a sequence gets when it opens.
  public static let freshnessMax = Interval.seconds(2)

  public init(_ configuration: Configuration) {
    daemonUserID = configuration.daemonUserID
    unavailableAfter = max(.milliseconds(1), configuration.unavailableAfter)
    sequencesMax = configuration.sequencesPerClientMax
    rateHz = configuration.rateHz
    rateMaxHz = max(1, configuration.rateMaxHz)
    outstanding = OutstandingUpdates(configuration)
    dwells = configuration.dwells
  }

  /// Which app a client is; nil for one that is not there.
  func app(of client: ClientID) -> AppID? { index(of: client).map { clients[$0].app } }

  // MARK: Inputs

  mutating func clientConnected(
    _ id: ClientID, _ peer: Peer, program: String, at now: Instant
  ) {
    guard clients.count < SessionTable.clientsMax, index(of: id) == nil else {
      ignoredCount &+= 1
      return
    }
    clients.append(
      Client(
        id: id, program: program, userID: peer.userID, processID: peer.processID, app: peer.app,
        isServed: peer.userID == 0 || peer.userID == daemonUserID))
    outstanding.connected(peer.app, at: now)
  }

  mutating func clientDisconnected(_ id: ClientID, at now: Instant) {
    guard let index = index(of: id) else { return }
    let client = clients.remove(at: index)
    pauseTurns &+= 1
    outstanding.left(client.app, client.sequences.filter(\.isOutstanding), at: now)
  }

  mutating func updatesOpened(
    _ client: ClientID, _ id: SequenceID, _ configuration: LiveConfiguration, at now: Instant,
    into effects: inout [Effect]
  ) {
    guard let index = index(of: client) else {
      ignoredCount &+= 1
      effects.append(
        .client(client, .endUpdates(id, reason: "this client is not known to the engine")))
      return
    }
    guard !clients[index].sequences.contains(where: { $0.id == id }) else {
      ignoredCount &+= 1
      return
    }
    openedCount &+= 1
    pauseTurns &+= 1
    guard clients[index].sequences.count < sequencesMax else {
      let reason =
        "a client may have \(sequencesMax) sequences open (SequencesMax= of the board's profile); "
        + "close one first"
      effects.append(.client(client, .endUpdates(id, reason: reason)))
      return
    }
    // To whom locations are denied nothing is promised.
    let isOutstanding = clients[index].isServed
    let takenUp =
      isOutstanding ? outstanding.opened(clients[index].app, configuration, at: now) : nil
    guard isOn else {
      var sequence = sequence(id, configuration, .switchedOff, at: now)
      sequence.isOutstanding = isOutstanding
      clients[index].sequences.append(sequence)
      effects.append(.client(client, .deliver([id], SessionTable.switchedOff)))
      return
    }
    guard clients[index].isServed else {
      clients[index].sequences.append(
        sequence(id, configuration, .refused, at: now))
      effects.append(.client(client, .deliver([id], SessionTable.refused)))
      return
    }
    var sequence = sequence(
      id, configuration, .waiting(until: now + unavailableAfter), at: now)
    sequence.isOutstanding = isOutstanding
    if let takenUp { sequence.goOn(as: takenUp, unavailableAfter: unavailableAfter, at: now) }
    if sequence.pause.isOlder {
      // What is delivered depends on whether the board still rests.
    } else if case .some(let fix, let instant) = last, now - instant <= SessionTable.freshnessMax {
      _ = sequence.grid.admits(fix.time, rateHz: rate(of: configuration))
      sequence.state = .waiting(until: max(instant + unavailableAfter, now))
      sequence.pause.fixJudged(at: now)
      effects.append(.client(client, .deliver([id], Update(fix: fix))))
    } else if case .some(_, let instant) = last, case .waiting(let until) = sequence.state {
      // Fixes that came while its app was away count for it.
      sequence.state = .waiting(until: max(until, instant + unavailableAfter))
    }
    clients[index].sequences.append(sequence)
    // What is taken up may have waited long enough already.
    if takenUp != nil { tellUnavailable(index, at: now, into: &effects) }
  }

  mutating func updatesClosed(_ client: ClientID, _ id: SequenceID, at now: Instant) {
    guard let index = index(of: client),
      let place = clients[index].sequences.firstIndex(where: { $0.id == id })
    else { return }
    let sequence = clients[index].sequences.remove(at: place)
    pauseTurns &+= 1
    guard sequence.isOutstanding else { return }
    outstanding.closed(clients[index].app, sequence.configuration, at: now)
  }

  /// Location services were turned on or off: every sequence is told that there is nothing for it, or begins anew.
  mutating func setServices(isOn: Bool, at now: Instant, into effects: inout [Effect]) {
    self.isOn = isOn
    pauseTurns &+= 1
    for client in clients.indices where !clients[client].sequences.isEmpty {
      let isServed = clients[client].isServed
      let state: LiveSequence.State =
        !isOn ? .switchedOff : isServed ? .waiting(until: now + unavailableAfter) : .refused
      for index in clients[client].sequences.indices {
        clients[client].sequences[index].restarted(as: state, at: now)
      }
      if isOn, isServed { continue }
      let update = isOn ? SessionTable.refused : SessionTable.switchedOff
      let ids = clients[client].sequences.map(\.id)
      effects.append(.client(clients[client].id, .deliver(ids, update)))
    }
  }

  private static let refused = Update(fix: nil, flags: .authorizationDenied)
  private static let switchedOff = Update(
    fix: nil, flags: [.authorizationDenied, .authorizationDeniedGlobally])

  mutating func fixJudged(_ fix: Fix, at now: Instant, into effects: inout [Effect]) {
    last = .some(fix, at: now)
    guard isOn else { return }
    for client in clients.indices where clients[client].isServed {
      var receivers: [SequenceID] = []
      var pausing: [SequenceID] = []
      for index in clients[client].sequences.indices {
        let id = clients[client].sequences[index].id
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
    /// With it the sequence pauses.
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

  /// The verdict on the board's rest has changed, or may be another one for a sequence that is new.
  mutating func restJudged(
    at now: Instant, isResting: (_ dwell: Interval, _ isPaused: Bool) -> Bool,
    into effects: inout [Effect]
  ) {
    for client in clients.indices where clients[client].isServed {
      for index in clients[client].sequences.indices {
        let sequence = clients[client].sequences[index]
        clients[client].sequences[index].isResting = isResting(
          dwells[sequence.configuration], sequence.pause.isPaused)
      }
      settle(client, at: now, into: &effects)
    }
  }

  /// Lets sequences pause whose time has come, and go on.
  private mutating func settle(_ client: Int, at now: Instant, into effects: inout [Effect]) {
    guard isOn, case .some(let fix, let instant) = last else { return }
    let isPositionKnown = arePausesHeld || now - instant < unavailableAfter
    var pausing: [SequenceID] = []
    for index in clients[client].sequences.indices {
      // No pause begins with a position that is lost: the next fix decides.
      guard isPositionKnown || clients[client].sequences[index].pause.isPaused else { continue }
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

  /// Tells those that pause from now on.
  private mutating func pause(
    _ pausing: [SequenceID], of client: Int, with fix: Fix, into effects: inout [Effect]
  ) {
    guard !pausing.isEmpty else { return }
    // The others pause already because of the same rest.
    if spot == nil || pausedCount == pausing.count { spot = RestSpot(fix) }
    pauseTurns &+= 1
    deliver(Update(fix: fix, flags: .stationary), to: pausing, of: client, into: &effects)
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    for client in clients.indices where clients[client].isServed {
      tellUnavailable(client, at: now, into: &effects)
      settle(client, at: now, into: &effects)
    }
  }

  private mutating func tellUnavailable(
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

  private func deliver(
    _ update: Update, to sequences: [SequenceID], of client: Int, into effects: inout [Effect]
  ) {
    guard !sequences.isEmpty else { return }
    effects.append(.client(clients[client].id, .deliver(sequences, update)))
  }

  /// The receiver is off, or awake for a moment only: a sequence that pauses is not told that there is no position.
  mutating func holdPauses(_ areHeld: Bool, at now: Instant) {
    guard areHeld != arePausesHeld else { return }
    arePausesHeld = areHeld
    if areHeld { return }
    for client in clients.indices {
      for index in clients[client].sequences.indices {
        guard case .waiting(let until) = clients[client].sequences[index].state else { continue }
        clients[client].sequences[index].state = .waiting(
          until: max(until, now + unavailableAfter))
      }
    }
  }

  // MARK: What outlasts the clients

  /// The log of state was read.
  mutating func adopt(_ reading: StateReading, at now: Instant, into effects: inout [Effect]) {
    let rest = restKept(in: reading, into: &effects)
    outstanding.adopt(reading, rest, at: now, into: &effects)
  }

  /// Answers whether less is wanted of the receiver than before.
  mutating func lapse(at now: Instant, into effects: inout [Effect]) -> Bool {
    let hasLess = outstanding.deadlineReached(at: now, into: &effects)
    if hasLess { pauseTurns &+= 1 }
    return hasLess
  }

  /// What the log of state is to be told now.
  mutating func takeNotes(
    at now: Instant, into effects: inout [Effect]
  ) -> [OutstandingUpdates.Note] {
    outstanding.takeNotes(at: now, into: &effects)
  }

  /// What is open goes on, and counts as outstanding no more.
  mutating func forgetOutstanding() {
    outstanding.forget()
    pauseTurns &+= 1
    for client in clients.indices {
      for index in clients[client].sequences.indices {
        clients[client].sequences[index].isOutstanding = false
      }
    }
  }

  mutating func appsRead(background: [String], at now: Instant) {
    outstanding.appsRead(background: background, at: now)
  }

  mutating func stopRequested() { outstanding.stopRequested() }

  // MARK: Answers

  var nextDeadline: Instant? {
    var earliest = outstanding.nextLapse
    for client in clients where client.isServed {
      for sequence in client.sequences {
        guard case .waiting(let until) = sequence.state else { continue }
        if arePausesHeld, sequence.pause.isPaused { continue }
        earliest = earlier(earliest, earlier(until, sequence.pause.nextDeadline))
      }
    }
    return earliest
  }

  /// Sequences that pause.
  var pausedCount: Int {
    clients.reduce(0) { $0 + $1.sequences.filter(\.pause.isPaused).count }
  }

  /// The last judged fix and when it came.
  var lastFix: (fix: Fix, instant: Instant)? {
    switch last {
    case .none: nil
    case .some(let fix, let instant): (fix, instant)
    }
  }

  /// The rate of a sequence in Hz: that of its configuration, or the board's where that is higher.
  private func rate(of configuration: LiveConfiguration) -> Int {
    min(max(Demand(configuration).rateHz, rateHz), rateMaxHz)
  }

  private func sequence(
    _ id: SequenceID, _ configuration: LiveConfiguration, _ state: LiveSequence.State,
    at now: Instant
  ) -> LiveSequence {
    LiveSequence(
      id: id, configuration: configuration, dwell: dwells[configuration], state: state, at: now)
  }

  private func index(of id: ClientID) -> Int? {
    clients.firstIndex { $0.id == id }
  }
}
