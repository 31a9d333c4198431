import BinnacleBasics
import BinnacleModel
import StateLog

/// Requests about the stored records.
extension Engine {
  /// All acknowledged records, in the format of ``RecordSet/encoded``.
  public var keptRecords: [UInt8] { storage.state.records.encoded }

  mutating func take(
    _ request: StateRequest, _ number: UInt32, of client: ClientID, at now: Instant,
    into effects: inout [Effect]
  ) {
    switch request {
    // Reading changes nothing, so the daemon answers with the engine's records.
    case .read: return
    case .erase(let subject):
      erase(subject, for: .client(client, request: number), at: now, into: &effects)
    case .accept:
      acceptDamage(for: .client(client, request: number), at: now, into: &effects)
    case .writes:
      var report = Report()
      storage.state.writes.add(to: &report, at: now)
      effects.append(.client(client, .reportWrites(request: number, report)))
    }
  }

  private mutating func erase(
    _ subject: EraseSubject, for requester: Requester, at now: Instant, into effects: inout [Effect]
  ) {
    if subject == .tracks { return eraseTracks(for: requester, into: &effects) }
    // `erase all` reports only the state log's result; the result for the tracks goes to the daemon's log.
    if subject == .all { eraseTracks(for: .engine, into: &effects) }
    let names = storage.state.names.filter { subject.covers($0) }
    // A shortened or misspelt name is no success. A closed log refuses the decision itself.
    if let app = subject.app, names.isEmpty, storage.state.log.isOpen,
      case .client(let client, let request) = requester
    {
      let refusal = ConsentRefusal(
        .appUnknown, "no app '\(app)' has stored defaults; 'binnacle state' lists the records")
      return effects.append(.client(client, .consentRefusal(request: request, refusal)))
    }
    let decision = Decision(
      givesRight(names, subject) ? .gives : .takesAway, changes: names.map { Change($0, .remove) },
      then: [StateOrder.forget(subject)])
    follow(
      storage.state.decide(decision, for: requester, at: now, into: &effects), at: now,
      into: &effects)
  }

  /// Whether an erasure gives a right: without its answer a reader of a door gets what the board's profile gives.
  private func givesRight(_ names: [RecordName], _ subject: EraseSubject) -> Bool {
    guard subject == .all else { return false }
    let kept = names.filter { $0.kind == RecordTable.grant.number }
      .compactMap { AppID(grantKey: $0.key) }
    return (kept + apps.grants.entries.map(\.app)).contains { isMoreByProfile($0) }
  }
}

extension EraseSubject {
  /// Whether a record is to be erased.
  func covers(_ name: RecordName) -> Bool {
    guard let kind = RecordTable.kind(name.kind), covers(kind) else { return false }
    guard let app else { return true }
    // The format of `DefaultsKey`: the app as readable text, a zero byte, and the app's own key.
    return name.key.starts(with: Array(app.utf8) + [0])
  }

  private func covers(_ kind: RecordKind) -> Bool {
    switch kind.erasure {
    case .withTracks, .never: false
    case .all: self == .all
    case .subject(let subject): self == .all || number == subject.number
    }
  }

  /// The subject in the words of the command line.
  var inWords: String {
    let word = EraseSubject.words[Int(number)]
    return app.map { "\(word) of \($0)" } ?? word
  }
}
