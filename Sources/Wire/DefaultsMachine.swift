public import BinnacleModel

/// The client's end of what an app keeps: a copy of all entries, and the changes that the daemon has not settled.
///
///     away --ready--> asking --last piece--> open
///      ^                 |                     |
///      +--disconnected---+---------------------+
///     asking --the daemon cannot, or will not--> unserved --it can after all--> open
///
/// A change is seen at once. One group of changes is under way at most; what is set meanwhile waits as the next group, of each
/// key the last value. A group is kept wholly or not at all, so that however much is set, no more than two groups are
/// there, and no change is ever kept without those before it. A group that is not answered when the connection goes
/// is sent again; one that the daemon refuses is taken back.
public struct DefaultsMachine: Equatable, Sendable {
  public enum Action: Equatable, Sendable {
    case send(ClientMessage)
    /// The entry of this key is another one now.
    case changed(key: String)
    /// Changes of these keys are not kept, and why.
    case refused(keys: [String], ServerMessage.Refusal)
  }

  private enum State: Equatable, Sendable {
    case away
    case asking([DefaultsEntry])
    case open
    case unserved(ServerMessage.Refusal)
  }

  private struct Group: Equatable, Sendable {
    /// The first change in it.
    var first: UInt32
    var changes = DefaultsList()
    /// The request that the answer will name; nil while it is not sent.
    var request: UInt32?
  }

  private var state = State.away
  /// What the daemon keeps, as far as it has said.
  private var kept = DefaultsList()
  private var underWay: Group?
  private var waiting: Group?
  /// What is kept with all changes made.
  private var visible = DefaultsList()
  private var lastRequest: UInt32 = 0
  private var openRequest: UInt32 = 0

  public init() {}

  /// Whether the entries are known, now or from before the connection was lost, or are not to be had.
  public private(set) var isAnswered = false

  /// The number of the change that was made last; 0 before the first.
  public private(set) var lastChange: UInt32 = 0

  /// Why nothing is kept at this time; nil when nothing speaks against it.
  public var obstacle: ServerMessage.Refusal? {
    if case .unserved(let refusal) = state { refusal } else { nil }
  }

  /// Whether every change up to this number is kept, taken back, or was none.
  public func isSettled(upTo number: UInt32) -> Bool {
    [underWay, waiting].compactMap { $0 }.allSatisfy { $0.first > number }
  }

  /// What is kept under a key, changes that are not settled included.
  public subscript(key: String) -> DefaultsValue? { visible[key]?.value }

  // MARK: The app

  /// Changes an entry.
  ///
  /// - Parameter entry: the key, and its value or nil to remove it.
  /// - Returns: what is to be done.
  public mutating func set(_ entry: DefaultsEntry) -> [Action] {
    lastChange &+= 1
    if let refusal = refusal(of: entry) { return [.refused(keys: [entry.key], refusal)] }
    let isNews = self[entry.key] != entry.value
    // What is so already, or is on its way, is no change; of what was known before the connection went nobody can say.
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

  /// The daemon has answered the greeting with this version.
  public mutating func ready(version: UInt16) -> [Action] {
    let request = lastRequest &+ 1
    let message = ClientMessage.request(request, .openDefaults)
    guard version >= message.versionMin else {
      // A daemon of an older release is as good as none: what is set waits for a newer one.
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

  /// The connection is gone; what was known stays.
  public mutating func disconnected() {
    state = .away
    underWay?.request = nil
  }

  /// A piece of all entries came: the answer, or another one when the daemon could not read them before.
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

  /// Other programs of this app have changed entries.
  public mutating func changed(_ entries: [DefaultsEntry]) -> [Action] {
    guard state == .open else { return [] }
    for entry in entries { kept.apply(entry) }
    return lookAgain()
  }

  /// The daemon has kept the group that is under way, or says why it has not, or why it opens nothing.
  public mutating func settled(
    _ request: UInt32, _ refusal: ServerMessage.Refusal?
  ) -> [Action] {
    if case .asking = state, request == openRequest, let refusal {
      state = .unserved(refusal)
      isAnswered = true
      // What waits is sent when the daemon can after all; of a program that it does not serve nothing ever is.
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

  // MARK: What is seen

  private func isPending(_ key: String) -> Bool {
    underWay?.changes[key] != nil || waiting?.changes[key] != nil
  }

  /// Makes out anew what is seen, and tells what is different.
  private mutating func lookAgain() -> [Action] {
    let before = visible
    visible = kept
    for entry in [underWay, waiting].flatMap({ $0?.changes.entries ?? [] }) {
      visible.apply(entry)
    }
    return visible.keysDiffering(from: before).map { .changed(key: $0) }
  }
}
