import BinnacleBasics
import BinnacleModel

/// The updates of an app that waits to be resumed or launched, in their order.
///
/// A location beyond the limit replaces the oldest location. An update with a reason or with `stationary` is never
/// dropped: a newer one of the same kind takes its place.
struct UpdateQueue: Equatable, Codable, Sendable {
  /// The sequences that an update is for.
  enum Target: Equatable, Codable, Sendable {
    /// Open sequences of a connected client.
    case sequences(ClientID, [SequenceID])
    /// The sequence of this configuration that the app's next process opens.
    case nextSequence(LiveConfiguration)
  }

  struct Entry: Equatable, Codable, Sendable {
    let target: Target
    let update: Update
    /// The number of the record that has the update; nil: no record has it.
    var record: UInt32?
  }

  /// An open sequence whose app might not have locations when it was opened; it gets the locations for the next sequence of its
  /// configuration as soon as the app may have them.
  struct Late: Equatable, Codable, Sendable {
    let client: ClientID
    let sequence: SequenceID
    let configuration: LiveConfiguration
  }

  private(set) var entries: [Entry] = [] { didSet { records.isStale = true } }
  private(set) var late: [Late] = []
  private(set) var records = QueueRecords()
  /// The locations that were dropped because the queue was full, since the daemon's start.
  private(set) var droppedCount = 0
  /// The rates of the updates for the next sequences.
  private var grids: [Grid] = []

  private struct Grid: Equatable, Codable, Sendable {
    let configuration: LiveConfiguration
    var grid = RateGrid()
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Adds an update.
  ///
  /// - Parameters:
  ///   - update: the update.
  ///   - target: its sequences.
  ///   - record: the number of the record that has the update; nil: no record has it.
  ///   - countMax: `QueueMax`.
  mutating func add(_ update: Update, for target: Target, in record: UInt32? = nil, countMax: Int) {
    if update.isTransition {
      entries.removeAll { $0.target == target && $0.update.flags == update.flags }
    }
    entries.append(Entry(target: target, update: update, record: record))
    guard entries.count > max(1, countMax),
      let oldest = entries.firstIndex(where: { !$0.update.isTransition })
    else { return }
    entries.remove(at: oldest)
    droppedCount += 1
  }

  /// Adds a fix for the next sequence of a configuration, at the rate of the configuration.
  mutating func add(
    _ fix: Fix, for configuration: LiveConfiguration, rateHz: Int, countMax: Int
  ) {
    if !grids.contains(where: { $0.configuration == configuration }) {
      grids.append(Grid(configuration: configuration))
    }
    for index in grids.indices where grids[index].configuration == configuration {
      guard grids[index].grid.admits(fix.time, rateHz: rateHz) else { return }
    }
    add(Update(fix: fix), for: .nextSequence(configuration), countMax: countMax)
  }

  /// Adds an update for the next sequence of a configuration, unless an update waits for it.
  mutating func addOnce(_ update: Update, for configuration: LiveConfiguration) {
    let target = Target.nextSequence(configuration)
    if entries.contains(where: { $0.target == target }) { return }
    entries.append(Entry(target: target, update: update))
  }

  /// Whether updates wait for open sequences.
  var hasOpenSequences: Bool { !late.isEmpty || openCount > 0 }

  /// The number of updates for open sequences.
  var openCount: Int {
    entries.count { if case .sequences = $0.target { true } else { false } }
  }

  /// Whether an update without a location waits; the indicator does not matter for it.
  var hasReasons: Bool { entries.contains { $0.update.fix == nil } }

  /// Takes the updates for open sequences.
  ///
  /// - Parameters:
  ///   - isAwake: whether the process of a client runs.
  ///   - mayHaveLocations: whether a client may have locations now.
  /// - Returns: the updates in their order.
  mutating func takeForClients(
    _ isAwake: (ClientID) -> Bool, mayHaveLocations: (ClientID) -> Bool
  ) -> [(client: ClientID, sequences: [SequenceID], update: Update)] {
    func isDue(_ entry: Entry) -> Bool {
      guard case .sequences(let client, _) = entry.target, isAwake(client) else { return false }
      return entry.update.fix == nil || mayHaveLocations(client)
    }
    // A change makes the records stale.
    guard entries.contains(where: isDue) else { return [] }
    var taken: [(client: ClientID, sequences: [SequenceID], update: Update)] = []
    entries.removeAll { entry in
      guard isDue(entry), case .sequences(let client, let sequences) = entry.target else {
        return false
      }
      taken.append((client, sequences, entry.update))
      return true
    }
    return taken
  }

  /// Takes the updates for a sequence that the app opens.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the sequence.
  ///   - isLast: false if another sequence of the configuration is awaited, which gets the same updates.
  /// - Returns: the updates in their order.
  mutating func take(for configuration: LiveConfiguration, isLast: Bool) -> [Update] {
    let taken = entries.filter { $0.target == .nextSequence(configuration) }.map(\.update)
    if isLast, !isAwaitedLate(configuration) { forget(configuration) }
    return taken
  }

  /// A sequence was opened whose app may not have locations now.
  mutating func openedLate(
    _ sequence: SequenceID, of client: ClientID, _ configuration: LiveConfiguration
  ) {
    guard entries.contains(where: { $0.target == .nextSequence(configuration) }) else { return }
    late.append(Late(client: client, sequence: sequence, configuration: configuration))
  }

  /// Whether an open sequence still waits for the updates for the next sequence of a configuration.
  func isAwaitedLate(_ configuration: LiveConfiguration) -> Bool {
    late.contains { $0.configuration == configuration }
  }

  /// Takes the updates for the sequences that were opened late.
  ///
  /// - Parameters:
  ///   - clients: the clients that may have locations now.
  ///   - isAwaited: whether a process that will come awaits a sequence of a configuration.
  /// - Returns: the updates in their order.
  mutating func takeForLate(
    of clients: [ClientID], isAwaited: (LiveConfiguration) -> Bool
  ) -> [(client: ClientID, sequences: [SequenceID], update: Update)] {
    let due = late.filter { clients.contains($0.client) }
    if due.isEmpty { return [] }
    late.removeAll { clients.contains($0.client) }
    let taken = entries.flatMap { entry in
      due.filter { entry.target == .nextSequence($0.configuration) }
        .map { (client: $0.client, sequences: [$0.sequence], update: entry.update) }
    }
    for configuration in Set(due.map(\.configuration))
    where !isAwaited(configuration) && !isAwaitedLate(configuration) {
      forget(configuration)
    }
    return taken
  }

  /// No sequence of a configuration is awaited any more.
  mutating func forget(_ configuration: LiveConfiguration) {
    grids.removeAll { $0.configuration == configuration }
    let target = Target.nextSequence(configuration)
    // A change makes the records stale.
    if entries.contains(where: { $0.target == target }) {
      entries.removeAll { $0.target == target }
    }
  }

  /// The app may not have locations any more.
  ///
  /// - Parameter keepsReduced: whether it may have reduced locations.
  mutating func removeLocations(keepsReduced: Bool = false) {
    entries.removeAll { entry in
      entry.update.fix != nil
        && !(keepsReduced && entry.update.flags.contains(.accuracyLimited))
    }
  }

  /// The client of open sequences has gone; its updates wait for the next process.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - configuration: the configuration of each of its sequences that stay outstanding.
  mutating func clientLeft(_ client: ClientID, _ configuration: (SequenceID) -> LiveConfiguration?)
  {
    late.removeAll { $0.client == client }
    var kept: [Entry] = []
    for entry in entries {
      guard case .sequences(client, let sequences) = entry.target else {
        kept.append(entry)
        continue
      }
      for configuration in Set(sequences.compactMap(configuration)) {
        kept.append(
          Entry(
            target: .nextSequence(configuration), update: entry.update, record: entry.record))
      }
    }
    entries = kept
  }

  /// An open sequence was closed, so nothing waits for it.
  mutating func closed(_ sequence: SequenceID, of client: ClientID) {
    late.removeAll { $0.client == client && $0.sequence == sequence }
    entries = entries.compactMap { entry in
      guard case .sequences(client, let sequences) = entry.target else { return entry }
      let others = sequences.filter { $0 != sequence }
      if others.isEmpty { return nil }
      return Entry(
        target: .sequences(client, others), update: entry.update, record: entry.record)
    }
  }

  /// Drops all updates: the app may not have them any more.
  mutating func removeAll() {
    entries = []
    grids = []
    late = []
  }

  // MARK: Records

  /// The changes of the queue's records that are due; they count as written after the call.
  ///
  /// - Parameters:
  ///   - now: the instant.
  ///   - isStopping: whether all updates are due.
  ///   - configurations: the configurations of the sequences of a target.
  /// - Returns: the changes.
  mutating func takeNotes(
    at now: Instant, isStopping: Bool, _ configurations: (Target) -> [LiveConfiguration]
  ) -> [QueueRecords.Note] {
    guard records.isStale || isStopping || records.nextWrite.map({ $0 <= now }) ?? false else {
      return []
    }
    var (records, entries) = (records, entries)
    let notes = records.takeNotes(of: &entries, at: now, isStopping: isStopping, configurations)
    self.entries = entries
    self.records = records
    self.records.isStale = false
    return notes
  }

  /// Takes over a record of an earlier run; an update that waits already is not repeated.
  mutating func recall(_ record: WaitingUpdatesRecord, number: UInt32, countMax: Int) {
    records.recalled(number, configurationCount: record.configurations.count)
    for update in record.updates {
      for configuration in record.configurations {
        let target = Target.nextSequence(configuration)
        guard !entries.contains(where: { $0.target == target && $0.update == update }) else {
          continue
        }
        add(update, for: target, in: number, countMax: countMax)
      }
    }
  }

  /// Gives up the oldest record, so that its updates wait in memory only; returns its number, nil without a record.
  mutating func giveUpOldestRecord() -> UInt32? { records.giveUpOldest() }
}

extension Update {
  /// Whether the update reports more than a location.
  fileprivate var isTransition: Bool { fix == nil || flags.contains(.stationary) }
}
