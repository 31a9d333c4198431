import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The clients and sequences of a run, and the updates that each got.
struct SequenceLedger: Sendable {
  private static let window = Interval.seconds(10)
  /// Below this distance and speed and with this accuracy, a board that paused still rests.
  private static let nearMeters = 10.0
  private static let slowMetersPerSecond = 0.25
  private static let sureMeters = 40.0
  private static let unavailableAfter = Interval.seconds(5)
  /// The time after the newest delivered fix: one undelivered fix, and timers 40 ms late.
  ///
  /// While the receiver changes from 1 Hz to 2 Hz, a fix between two seconds comes up to a second after the fix before.
  private static let slack = Interval.milliseconds(1_100)
  /// The time after the last fix of a sequence.
  ///
  /// The time covers the period of a sequence at 1 Hz, and epochs of sentences that end up to 160 ms later than the
  /// epoch before. An epoch that was cut off may come two seconds late, between two fixes of such a sequence.
  private static let ownSlack = Interval.milliseconds(2_500)
  /// The additional time on a line that damages bytes, and where a restart cuts an epoch off.
  ///
  /// The engine delivers a solution that lacks a message or follows a damaged length when later messages show that no
  /// more data comes (`BoardCheckers.ageMax`).
  private static let damageSlack = Interval.seconds(2)
  /// The time for which a restart may have cut off the newest epoch.
  private static let restartMax = Interval.seconds(10)
  private let dwells: DwellSettings
  private let isLineClean: Bool
  /// Whether the app of the manifest is allowed.
  private var isAllowed = false
  private var clients: [Client] = []
  private var sequences: [Sequence] = []
  private var gone: [Gone] = []
  /// The sequences that paused when the power failed, according to the disk.
  private var older: [Sequence] = []
  private var startedAt: Instant?
  /// The instant of the receiver's last restart by itself.
  private var restartedAt: Instant?
  /// Whether location services are on.
  private var isOn = true
  private(set) var steadyFixAt: Instant?
  /// The newest delivered fix and its arrival, as far as the checkers can see it.
  private var newest: (time: UTCTime, at: Instant)?
  /// Whether a sequence was just opened: its first fix is older than the opening.
  private(set) var isOpening = false

  init(_ dwells: DwellSettings, isLineClean: Bool) {
    self.dwells = dwells
    self.isLineClean = isLineClean
  }

  /// Notes that location services are on or off from now on; all sequences start over.
  mutating func servicesSet(isOn: Bool, at now: Instant) {
    guard self.isOn != isOn else { return }
    self.isOn = isOn
    older = []
    for index in sequences.indices {
      sequences[index].openedAt = now
      sequences[index].fixAt = nil
      sequences[index].isUnavailableTold = false
      sequences[index].firstFixAt = nil
      sequences[index].pausedAt = nil
      sequences[index].isOfOneRest = false
      sequences[index].pausedWith = nil
    }
  }

  /// Notes a power cut: no clients are left.
  ///
  /// The record of a rest names the configurations whose sequences had all paused (`SPEC-state.md`).
  mutating func powerCut(found records: RecordSet) {
    startsAfter(self, found: records)
    clients = []
    sequences = []
    gone = []
    startedAt = nil
  }

  /// Takes the sequences that another run had when its power failed.
  mutating func startsAfter(_ before: SequenceLedger, found records: RecordSet) {
    let value = records[RecordName(kind: RecordTable.rest.number)] ?? []
    var reader = ByteReader(value)
    guard reader.u8() != nil, let mask = reader.u8(), let latitude = reader.i32(),
      let longitude = reader.i32(), let accuracy = reader.u32()
    else {
      older = []
      return
    }
    older = before.sequences.compactMap { sequence in
      // The disk learns only within a minute that the board moved on and rests elsewhere (`APPS.md`, "When updates
      // paused"). Until then the spot is an older one.
      guard mask & 1 << sequence.configuration.rawValue != 0,
        let spot = sequence.pausedWith ?? sequence.lastPausedWith
      else { return nil }
      var kept = sequence
      kept.hadPaused = sequence.isPaused
      kept.pausedWith = spot
      kept.pausedWith?.latitude = Double(latitude) / 1e7
      kept.pausedWith?.longitude = Double(longitude) / 1e7
      kept.pausedWith?.horizontalAccuracy = Double(accuracy) / 1_000
      return kept
    }
  }

  var openCount: Int { sequences.count }

  mutating func delivered(_ event: Event, at now: Instant) {
    isOpening = false
    switch event {
    case .started: startedAt = now
    case .storage(.read(let reading)): isAllowed = ClientScript.isAllowed(by: reading)
    case .client(let id, .connected(let peer, _)):
      let isServed = ClientScript.isServed(peer, isAllowed: isAllowed)
      clients.append(Client(id: id, isServed: isServed, app: peer.app))
      returned(peer.app, at: now)
    case .client(let id, .disconnected):
      if let client = clients.first(where: { $0.id == id }) { left(client, at: now) }
      clients.removeAll { $0.id == id }
      sequences.removeAll { $0.client == id }
    case .client(let client, .updatesOpened(let id, let configuration, _)):
      isOpening = true
      guard let found = clients.first(where: { $0.id == client }),
        !sequences.contains(where: { $0.client == client && $0.id == id })
      else { return }
      var sequence = Sequence(
        client: client, id: id, isServed: found.isServed, openedAt: now,
        dwell: dwells[configuration], configuration: configuration)
      takeUp(&sequence, app: found.app, at: now)
      sequences.append(sequence)
    case .client(let client, .updatesClosed(let id)):
      sequences.removeAll { $0.client == client && $0.id == id }
    case .client(_, .requested), .client(_, .skyWatched), .client(_, .sessionOpened),
      .client(_, .terminalLost),
      .client(_, .sessionClosed), .client(_, .authorizationWatched),
      .client(_, .buttonsWatched), .client(_, .phaseWatched), .client(_, .pinChecked), .receiver,
      .line,
      .accelerometer,
      .storage, .track, .launcher, .appsRead, .consentSettingsRead,
      .wallClockRead, .stopRequested, .deadlineReached:
      break
    }
  }

  private mutating func left(_ client: Client, at now: Instant) {
    if case .unresolved = client.app { return }
    let end =
      client.app == .listed(OutstandingLedger.backgroundApp) ? nil : now + SequenceLedger.window
    for sequence in sequences where sequence.client == client.id {
      gone.append(Gone(app: client.app, sequence: sequence, end: end))
    }
  }

  /// Notes a new process of an app: its earlier sequences can be restored for one more window.
  private mutating func returned(_ app: AppID, at now: Instant) {
    gone.removeAll { $0.end.map { $0 < now } ?? false }
    for index in gone.indices where gone[index].app == app && !gone[index].isBack {
      gone[index].end = gone[index].end.map { _ in now + SequenceLedger.window }
      gone[index].isBack = true
    }
  }

  private mutating func takeUp(_ sequence: inout Sequence, app: AppID, at now: Instant) {
    let (client, id, configuration) = (sequence.client, sequence.id, sequence.configuration)
    if let index = older.firstIndex(where: {
      $0.client == client && $0.id == id && $0.configuration == configuration
    }) {
      let found = older.remove(at: index)
      (sequence.pausedWith, sequence.hadPaused) = (found.pausedWith, found.hadPaused)
      sequence.lastPausedWith = found.pausedWith
    }
    gone.removeAll { $0.end.map { $0 < now } ?? false }
    func isSame(_ one: Gone) -> Bool {
      one.app == app && one.sequence.configuration == configuration
    }
    sequence.before = gone.filter(isSame).map(\.sequence)
    if let index = gone.firstIndex(where: isSame) { gone.remove(at: index) }
  }

  /// Whether a sequence that paused before the power failed has had no position since.
  var awaitsReturn: Bool { sequences.contains(where: \.awaitsReturn) }

  /// Takes an update.
  ///
  /// - Parameters:
  ///   - update: the delivered update.
  ///   - measuredAt: the instant of the update's position.
  ///   - isShaken: whether the accelerometer may detect motion, which excuses a position near an earlier rest.
  ///   - client: the client that gets the update.
  ///   - id: the sequence of that client.
  ///   - now: the instant of the delivery.
  /// - Returns: the violation; nil when the update is right.
  mutating func delivered(
    _ update: Update, measuredAt: Instant, isShaken: Bool, to client: ClientID, _ id: SequenceID,
    at now: Instant
  ) -> String? {
    guard
      let index = sequences.firstIndex(where: { $0.client == client && $0.id == id })
    else { return "an update for \(client) \(id), which is not open" }
    if update.flags.contains(.authorizationDeniedGlobally) { return nil }
    let isDenial = update.flags.contains(.authorizationDenied)
    guard sequences[index].isServed else {
      // No person allows the app, and the app has no terminal. An app whose manifest has no usage text cannot ask.
      let isRefusal =
        update.fix == nil
        && (update.flags == .insufficientlyInUse || update.flags == .authorizationDenied)
      return isRefusal ? nil : "an app without authorization got \(update)"
    }
    if isDenial { return "a refusal for an authorized app" }
    if update.flags.contains(.locationUnavailable) {
      if update.fix != nil { return "unavailable, with a fix" }
      return unavailable(index, at: now)
    }
    guard let fix = update.fix else { return nil }
    let isNew = newest.map { $0.time < fix.time } ?? true
    if update.flags.contains(.stationary) {
      if isNew, !isOpening { newest = (fix.time, measuredAt) }
      return paused(index, with: fix, at: now)
    }
    if isNew { newest = (fix.time, isOpening ? measuredAt : now) }
    defer {
      sequences[index].fixTime = fix.time
      sequences[index].fixAt = now
      sequences[index].isUnavailableTold = false
      sequences[index].pausedAt = nil
      sequences[index].isOfOneRest = false
      sequences[index].pausedWith = nil
      sequences[index].firstFixAt = sequences[index].firstFixAt ?? now
      if client.number == 1, id.number == 1 { steadyFixAt = now }
    }
    if let last = sequences[index].fixTime, fix.time <= last {
      return "a fix of \(fix.time) after one of \(last)"
    }
    if let spot = sequences[index].pausedWith, sequences[index].awaitsReturn, !isShaken,
      (0..<SequenceLedger.slowMetersPerSecond).contains(fix.speed),
      fix.horizontalAccuracy <= SequenceLedger.sureMeters,
      SequenceLedger.meters(spot, fix) < SequenceLedger.nearMeters
    {
      return "a sequence that paused before the power cut gets positions, and the board still rests"
    }
    return nil
  }

  private static func meters(_ one: Fix, _ other: Fix) -> Double {
    Ellipsoid.distance(
      from: (one.latitude, one.longitude), to: (other.latitude, other.longitude))
  }

  /// Whether the pause continues an earlier pause or dwell; after a power cut only with a fix near the earlier place.
  private func isOlder(_ sequence: Sequence, with fix: Fix, at now: Instant) -> Bool {
    if sequence.before.contains(where: { $0.hasWaited(at: now) }) { return true }
    guard let spot = sequence.pausedWith else { return false }
    let sure = max(spot.horizontalAccuracy, fix.horizontalAccuracy)
    return SequenceLedger.meters(spot, fix) <= max(15, 2 * sure) + 1
  }

  /// Takes a pause, with the last fix or with the first fix after the position was lost.
  ///
  /// A pause never comes twice, and never before the dwell has passed since the first fix. An exception is a sequence
  /// that paused before the app ended or the power failed.
  private mutating func paused(_ index: Int, with fix: Fix, at now: Instant) -> String? {
    let sequence = sequences[index]
    let isOlder = isOlder(sequence, with: fix, at: now)
    sequences[index].pausedAt = now
    sequences[index].isReturn = sequence.isOfOneRest || isOlder
    sequences[index].isOfOneRest = true
    sequences[index].firstFixAt = sequence.firstFixAt ?? now
    sequences[index].pausedWith = fix
    sequences[index].lastPausedWith = fix
    sequences[index].isUnavailableTold = false
    sequences[index].fixTime = fix.time
    sequences[index].fixAt = now
    if sequence.client.number == 1, sequence.id.number == 1 { steadyFixAt = now }
    if sequence.isPaused { return "stationary was told twice" }
    if isOlder { return nil }
    guard let first = sequence.firstFixAt else { return "stationary before a first fix" }
    if now - first < sequence.dwell {
      return "stationary \((now - first).seconds) s after its first fix"
    }
    if let last = sequence.fixTime, fix.time < last { return "stationary with an older fix" }
    return nil
  }

  /// Whether the first client's first sequence pauses: the sequence must not get a fix.
  var isSteadyPaused: Bool {
    sequences.contains { $0.client.number == 1 && $0.id.number == 1 && $0.isPaused }
  }

  /// Whether a pause with a fix is a repeated pause for a process that has just connected.
  ///
  /// A fix that came while all updates paused is newer than the newest delivered fix.
  func isToldAgain(_ fix: Fix) -> Bool {
    guard isOpening, let newest else { return false }
    return newest.time <= fix.time
  }

  /// A sequence that gets positions; nil when there is none.
  var needer: String? {
    guard isOn else { return nil }
    return sequences.first { $0.isServed && !$0.isPaused }.map { "\($0.client) \($0.id)" }
  }

  /// The sequences that pause.
  var pausers: [RestLedger.Pauser] {
    sequences.compactMap { sequence in
      guard isOn, sequence.isServed, let pausedAt = sequence.pausedAt else { return nil }
      return RestLedger.Pauser(name: "\(sequence.client) \(sequence.id)", pausedAt: pausedAt)
    }
  }

  /// The dwell of a sequence that pauses, and whether the pause continues an earlier rest.
  func pause(of client: ClientID, _ id: SequenceID) -> (dwell: Interval, isReturn: Bool)? {
    sequences.first { $0.client == client && $0.id == id }.map { ($0.dwell, $0.isReturn) }
  }

  private mutating func unavailable(_ index: Int, at now: Instant) -> String? {
    defer {
      // The pause that ends now is not a pause from before the power cut.
      if sequences[index].isPaused { sequences[index].pausedWith = nil }
      sequences[index].isUnavailableTold = true
      sequences[index].pausedAt = nil
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

  mutating func receiverRestarted(at now: Instant) { restartedAt = now }

  /// Checks that a sequence without a fix for five seconds has got the update that location is unavailable.
  func overdue(at now: Instant) -> String? {
    guard isOn else { return nil }
    let mayLackMessages =
      !isLineClean || restartedAt.map { now - $0 < Self.restartMax } ?? false
    let patience = Self.unavailableAfter + (mayLackMessages ? Self.damageSlack : .zero)
    for sequence in sequences
    where sequence.isServed && !sequence.isUnavailableTold && !sequence.isPaused {
      let since = max(sequence.fixAt ?? sequence.openedAt, startedAt ?? now)
      let sinceAny = max(since, newest?.at ?? since)
      if now - since > patience + Self.ownSlack
        || now - sinceAny > patience + Self.slack
      {
        return "\(sequence.client) \(sequence.id) was told nothing for \((now - since).seconds) s"
      }
    }
    return nil
  }
}
