import BinnacleBasics

/// Turns the edges of a contact into levels that last.
///
/// A level counts once it has lasted for `lasting`, and then from its first edge on. The kernel may have debounced the line
/// already; this machine then changes nothing.
struct BounceMachine: Equatable, Codable, Sendable {
  /// A change of the level that counts.
  struct Change: Equatable, Sendable {
    var isActive: Bool
    var instant: Instant
  }

  /// The level that counts.
  private(set) var isActive = false
  /// Edges without a lasting level.
  private(set) var bounceCount = 0
  private var candidate: Instant?
  private let lasting: Interval

  init(lasting: Interval) {
    self.lasting = lasting
  }

  /// When `looked` is due with the level of that moment; nil when no level has to last.
  var nextDeadline: Instant? { candidate.map { $0 + lasting } }

  /// The line is claimed.
  mutating func began(isActive: Bool) {
    self.isActive = isActive
    candidate = nil
  }

  /// The contact opened or closed.
  mutating func edge(isActive: Bool, at instant: Instant) -> [Change] {
    var changes = lasted(until: instant)
    if isActive == self.isActive {
      // The contact went back before the level counted, or an edge in between was lost.
      bounceCount += 1
      candidate = nil
    } else {
      if candidate != nil { bounceCount += 1 }
      candidate = instant
      if lasting <= .zero { changes += lasted(until: instant) }
    }
    return changes
  }

  /// The level was read.
  mutating func looked(isActive: Bool, at now: Instant) -> [Change] {
    guard isActive != self.isActive else {
      if candidate != nil { bounceCount += 1 }
      candidate = nil
      return []
    }
    // An edge was lost: the level has to last like any other.
    if candidate == nil { candidate = now }
    return lasted(until: now)
  }

  private mutating func lasted(until now: Instant) -> [Change] {
    guard let since = candidate, now - since >= lasting else { return [] }
    candidate = nil
    isActive.toggle()
    return [Change(isActive: isActive, instant: since)]
  }
}
