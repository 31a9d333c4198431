import Basics
import LocationEngine
import Model

/// Which clients and sequences there are, and what each was told.
struct SequenceLedger: Sendable {
  private struct Client: Sendable {
    var id: ClientID
    var isServed: Bool
  }

  private struct Sequence: Sendable {
    var client: ClientID
    var id: SequenceID
    var isServed: Bool
    var openedAt: Instant
    var fixTime: UTCTime?
    var fixAt: Instant?
    var isUnavailableTold = false
    /// How long the board must have rested before it pauses.
    var dwell: Interval
    var firstFixAt: Instant?
    var isPaused = false
  }

  private static let unavailableAfter = Interval.seconds(5)
  /// After the newest fix that anybody was handed: another one that was due to nobody, of a receiver at 2 Hz, and
  /// timers that are 40 ms late.
  private static let slack = Interval.milliseconds(600)
  /// After the last fix of a sequence: the period of a sequence at 1 Hz, and epochs of sentences that end up to 160 ms
  /// later than the one before.
  private static let ownSlack = Interval.milliseconds(1_250)
  private let dwells: DwellSettings
  private var clients: [Client] = []
  private var sequences: [Sequence] = []
  private var startedAt: Instant?
  /// Whether location services are on.
  private var isOn = true
  private(set) var steadyFixAt: Instant?
  /// When the newest fix that was handed to anybody arrived, as far as can be seen.
  private var newest: (time: UTCTime, at: Instant)?
  /// Whether a sequence has just been opened: what it gets at once is older than that.
  private(set) var isOpening = false

  init(_ dwells: DwellSettings) { self.dwells = dwells }

  /// Location services are on or off from now on; sequences begin anew.
  mutating func servicesSet(isOn: Bool, at now: Instant) {
    guard self.isOn != isOn else { return }
    self.isOn = isOn
    for index in sequences.indices {
      sequences[index].openedAt = now
      sequences[index].fixAt = nil
      sequences[index].isUnavailableTold = false
      sequences[index].firstFixAt = nil
      sequences[index].isPaused = false
    }
  }

  /// The power went: nobody is there any more.
  mutating func powerCut() {
    clients = []
    sequences = []
    startedAt = nil
  }

  var openCount: Int { sequences.count }

  mutating func told(_ event: Event, at now: Instant) {
    isOpening = false
    switch event {
    case .started: startedAt = now
    case .clientConnected(let id, let peer, _):
      let isServed = peer.userID == 0 || peer.userID == ClientScript.daemonUserID
      clients.append(Client(id: id, isServed: isServed))
    case .clientDisconnected(let id):
      clients.removeAll { $0.id == id }
      sequences.removeAll { $0.client == id }
    case .updatesOpened(let client, let id, let configuration):
      isOpening = true
      guard let found = clients.first(where: { $0.id == client }),
        !sequences.contains(where: { $0.client == client && $0.id == id })
      else { return }
      sequences.append(
        Sequence(
          client: client, id: id, isServed: found.isServed, openedAt: now,
          dwell: dwells[configuration]))
    case .updatesClosed(let client, let id):
      sequences.removeAll { $0.client == client && $0.id == id }
    case .wallClockRead, .receiverOpened, .receiverOpenFailed, .receiverBytesArrived,
      .receiverDrained, .receiverSpeedChanged, .receiverSpeedRefused, .receiverLost,
      .statusRequested, .accelerometer, .track, .lineOpened, .lineEdge, .lineRead, .lineLost,
      .stateRead, .committed, .commitFailed, .stopRequested, .deadlineReached,
      .servicesRequested, .stateWished, .defaultsRequested, .defaultsSet, .appsRead:
      break
    }
  }

  mutating func delivered(
    _ update: Update, measuredAt: Instant, to client: ClientID, _ id: SequenceID, at now: Instant
  ) -> String? {
    guard
      let index = sequences.firstIndex(where: { $0.client == client && $0.id == id })
    else { return "an update for \(client) \(id), which is not open" }
    if update.flags.contains(.authorizationDeniedGlobally) { return nil }
    let isDenial = update.flags.contains(.authorizationDenied)
    guard sequences[index].isServed else {
      return isDenial && update.fix == nil ? nil : "a stranger got \(update)"
    }
    if isDenial { return "denied to one who is served" }
    if update.flags.contains(.locationUnavailable) {
      if update.fix != nil { return "unavailable, with a fix" }
      return unavailable(index, at: now)
    }
    guard let fix = update.fix else { return nil }
    if update.flags.contains(.stationary) { return paused(index, with: fix, at: now) }
    if newest.map({ $0.time < fix.time }) ?? true {
      newest = (fix.time, isOpening ? measuredAt : now)
    }
    defer {
      sequences[index].fixTime = fix.time
      sequences[index].fixAt = now
      sequences[index].isUnavailableTold = false
      sequences[index].isPaused = false
      sequences[index].firstFixAt = sequences[index].firstFixAt ?? now
      if client.number == 1, id.number == 1 { steadyFixAt = now }
    }
    if let last = sequences[index].fixTime, fix.time <= last {
      return "a fix of \(fix.time) after one of \(last)"
    }
    return nil
  }

  /// With the last fix, or the first after the position was lost; never twice, never before the dwell since the first fix.
  private mutating func paused(_ index: Int, with fix: Fix, at now: Instant) -> String? {
    let sequence = sequences[index]
    sequences[index].isPaused = true
    sequences[index].isUnavailableTold = false
    sequences[index].fixTime = fix.time
    sequences[index].fixAt = now
    if sequence.client.number == 1, sequence.id.number == 1 { steadyFixAt = now }
    if sequence.isPaused { return "stationary was told twice" }
    guard let first = sequence.firstFixAt else { return "stationary before a first fix" }
    if now - first < sequence.dwell {
      return "stationary \((now - first).seconds) s after its first fix"
    }
    if let last = sequence.fixTime, fix.time < last { return "stationary with an older fix" }
    return nil
  }

  /// Whether the first client's first sequence pauses: it is not to get a fix.
  var isSteadyPaused: Bool {
    sequences.contains { $0.client.number == 1 && $0.id.number == 1 && $0.isPaused }
  }

  /// A sequence that gets positions; nil when nobody does.
  var needer: String? {
    guard isOn else { return nil }
    return sequences.first { $0.isServed && !$0.isPaused }.map { "\($0.client) \($0.id)" }
  }

  /// The dwell of a sequence.
  func dwell(of client: ClientID, _ id: SequenceID) -> Interval? {
    sequences.first { $0.client == client && $0.id == id }?.dwell
  }

  private mutating func unavailable(_ index: Int, at now: Instant) -> String? {
    defer {
      sequences[index].isUnavailableTold = true
      sequences[index].isPaused = false
    }
    if sequences[index].isUnavailableTold { return "unavailable was told twice" }
    let since = sequences[index].fixAt == nil ? startedAt ?? .zero : newest?.at ?? .zero
    return now - since < Self.unavailableAfter
      ? "unavailable was told after \((now - since).seconds) s" : nil
  }

  mutating func ended(_ client: ClientID, _ id: SequenceID) -> String? {
    guard clients.contains(where: { $0.id == client }) else { return "ended for a gone client" }
    sequences.removeAll { $0.client == client && $0.id == id }
    return nil
  }

  func reported(to client: ClientID) -> String? {
    clients.contains { $0.id == client } ? nil : "a report for a gone client"
  }

  /// After five seconds without a fix a sequence has been told so.
  func overdue(at now: Instant) -> String? {
    guard isOn else { return nil }
    for sequence in sequences
    where sequence.isServed && !sequence.isUnavailableTold && !sequence.isPaused {
      let since = max(sequence.fixAt ?? sequence.openedAt, startedAt ?? now)
      let sinceAny = max(since, newest?.at ?? since)
      if now - since > Self.unavailableAfter + Self.ownSlack
        || now - sinceAny > Self.unavailableAfter + Self.slack
      {
        return "\(sequence.client) \(sequence.id) was told nothing for \((now - since).seconds) s"
      }
    }
    return nil
  }
}
