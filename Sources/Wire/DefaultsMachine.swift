public import BinnacleModel

/// The client side of an app's defaults: a copy of all entries, and the changes that the daemon has not settled.
///
///     away --ready--> asking --last piece--> open
///      ^                 |                     |
///      +--disconnected---+---------------------+
///     asking --refused, or daemon too old--> unserved --entries arrive later--> open
///
/// A change is visible at once. At most one group of changes is sent at a time. Meanwhile new changes form the next
/// group, with the last value of each key. A group is stored completely or not at all. There are therefore never more
/// than two groups, and no change is stored without all earlier changes. A group without an answer is sent again after
/// a reconnect. A refused group is undone.
public struct DefaultsMachine: Equatable, Sendable {
  public enum Action: Equatable, Sendable {
    case send(ClientMessage)
    /// The visible entry of this key has changed.
    case changed(key: String)
    /// The changes of these keys are not stored, for this reason.
    case refused(keys: [String], ServerMessage.Refusal)
  }

  private enum State: Equatable, Sendable {
    case away
    case asking([DefaultsEntry])
    case open
    case unserved(ServerMessage.Refusal)
  }

  private struct Group: Equatable, Sendable {
    /// The number of the first change in the group.
    var first: UInt32
    var changes = DefaultsList()
    /// The request number of the expected answer; nil until the group is sent.
    var request: UInt32?
  }

  private var state = State.away
  /// The entries that the daemon has stored, as far as known.
  private var kept = DefaultsList()
  private var underWay: Group?
  private var waiting: Group?
  /// The stored entries with all pending changes applied.
  private var visible = DefaultsList()
  private var lastRequest: UInt32 = 0
  private var openRequest: UInt32 = 0

  public init() {}

  /// Whether the entries are known, possibly from an earlier connection, or unavailable.
  public private(set) var isAnswered = false

  /// The number of the last change; 0 before the first change.
  public private(set) var lastChange: UInt32 = 0

  /// The reason why the daemon stores nothing at present; nil without such a reason.
  public var obstacle: ServerMessage.Refusal? {
    if case .unserved(let refusal) = state { refusal } else { nil }
  }

  /// Whether each change up to this number is stored, undone, or had no effect.
  public func isSettled(upTo number: UInt32) -> Bool {
    [underWay, waiting].compactMap { $0 }.allSatisfy { $0.first > number }
  }

  /// The visible value of a key, including pending changes.
  public subscript(key: String) -> DefaultsValue? { visible[key]?.value }

  // MARK: The app

  /// Changes an entry.
  ///
  /// - Parameter entry: the key, and its value or nil to remove it.
  /// - Returns: the actions to carry out.
  public mutating func set(_ entry: DefaultsEntry) -> [Action] {
    lastChange &+= 1
    if let refusal = refusal(of: entry) { return [.refused(keys: [entry.key], refusal)] }
    let isNews = self[entry.key] != entry.value
    // An entry that is equal, or pending with the same value, is no change. After a lost connection the stored value is
    // unknown, so the change is sent.
    if !isNews, state == .open || isPending(entry.key) { return [] }
    var group = waiting ?? Group(first: lastChange)
    group.changes.put(entry)
    waiting = group
    visible.apply(entry)
    return (isNews ? [.changed(key: entry.key)] : []) + sendNext()
  }

  private func refusal(of entry: DefaultsEntry) -> ServerMessage.Refusal? {
    if case .unserved(let refusal) = state, refusal.kind == .notPermitted { return refusal }
    let before = visible[entry.key]?.size ?? 0
    var text = DefaultsLimits.objection(to: entry)
    if text == nil, entry.size > before {
      text = DefaultsLimits.objection(
        count: visible.count + (visible[entry.key] == nil ? 1 : 0),
        size: visible.size - before + entry.size)
    }
    let count = waiting?.changes.count ?? 0
    if text == nil, count >= DefaultsLimits.changesMax, waiting?.changes[entry.key] == nil {
      text = "changes of \(count) keys wait for the daemon, which is the most; flush first"
    }
    return text.map { .init(.limitReached, $0) }
  }

  // MARK: The connection

  /// The daemon has answered the greeting with this version of the protocol.
  public mutating func ready(version: UInt16) -> [Action] {
    let request = lastRequest &+ 1
    let message = ClientMessage.request(request, .openDefaults)
    guard version >= message.versionMin else {
      // An older daemon stores no defaults. Changes wait for a newer daemon.
      isAnswered = true
      let text = "the daemon is of an older release, which keeps nothing for apps; update it"
      state = .unserved(.init(.versionUnsupported, text))
      return []
    }
    state = .asking([])
    lastRequest = request
    openRequest = request
    return [.send(message)]
  }

  /// The connection is closed; known entries stay.
  public mutating func disconnected() {
    state = .away
    underWay?.request = nil
  }

  /// Takes a piece of all entries.
  ///
  /// The piece belongs to the answer to `openDefaults`, or to a later list if the daemon could not read the entries
  /// before.
  public mutating func arrived(
    _ request: UInt32, isLast: Bool, _ entries: [DefaultsEntry]
  ) -> [Action] {
    guard request == openRequest else { return [] }
    var all = entries
    switch state {
    case .away: return []
    case .asking(let before): all = before + entries
    case .open, .unserved: break
    }
    guard isLast else {
      state = .asking(all)
      return []
    }
    state = .open
    isAnswered = true
    kept = DefaultsList()
    for entry in all { kept.apply(entry) }
    return lookAgain() + sendNext()
  }

  /// Takes entries that other programs of this app have changed.
  public mutating func changed(_ entries: [DefaultsEntry]) -> [Action] {
    guard state == .open else { return [] }
    for entry in entries { kept.apply(entry) }
    return lookAgain()
  }

  /// Takes the outcome of the sent group, or the refusal of `openDefaults`.
  public mutating func settled(
    _ request: UInt32, _ refusal: ServerMessage.Refusal?
  ) -> [Action] {
    if case .asking = state, request == openRequest, let refusal {
      state = .unserved(refusal)
      isAnswered = true
      // Pending changes wait until the daemon can store them. An app without permission never gets defaults, so its
      // changes are undone.
      return refusal.kind == .notPermitted ? takeBack([underWay, waiting], refusal) : []
    }
    guard let group = underWay, let number = group.request, number == request else { return [] }
    guard let refusal else {
      underWay = nil
      for entry in group.changes.entries { kept.apply(entry) }
      return sendNext()
    }
    return takeBack([group], refusal) + sendNext()
  }

  private mutating func takeBack(
    _ groups: [Group?], _ refusal: ServerMessage.Refusal
  ) -> [Action] {
    var lost = DefaultsList()
    for entry in groups.flatMap({ $0?.changes.entries ?? [] }) { lost.put(entry) }
    let keys = lost.entries.map(\.key)
    if groups.count > 1 { waiting = nil }
    underWay = nil
    return (keys.isEmpty ? [] : [.refused(keys: keys, refusal)]) + lookAgain()
  }

  private mutating func sendNext() -> [Action] {
    guard state == .open, underWay?.request == nil else { return [] }
    if underWay == nil {
      underWay = waiting
      waiting = nil
    }
    guard let group = underWay else { return [] }
    let messages = ClientMessage.setDefaults(after: lastRequest, group.changes.entries)
    lastRequest = messages.last?.request ?? lastRequest
    underWay?.request = lastRequest
    return messages.map { .send($0.message) }
  }

  // MARK: Visible entries

  private func isPending(_ key: String) -> Bool {
    underWay?.changes[key] != nil || waiting?.changes[key] != nil
  }

  /// Computes the visible entries again and returns the changed keys.
  private mutating func lookAgain() -> [Action] {
    let before = visible
    visible = kept
    for entry in [underWay, waiting].flatMap({ $0?.changes.entries ?? [] }) {
      visible.apply(entry)
    }
    return visible.keysDiffering(from: before).map { .changed(key: $0) }
  }
}
