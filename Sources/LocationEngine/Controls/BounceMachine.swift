import BinnacleBasics

/// Converts the edges of a contact to stable levels.
///
/// A level counts when it has lasted for `lasting`; its time is that of its first edge. If the kernel has debounced the
/// line, this machine changes nothing.
struct BounceMachine: Equatable, Codable, Sendable {
  /// A change of the stable level.
  struct Change: Equatable, Sendable {
    var isActive: Bool
    var instant: Instant
  }

  /// The stable level.
  private(set) var isActive = false
  /// Edges without a stable level.
  private(set) var bounceCount = 0
  private var candidate: Instant?
  private let lasting: Interval

  init(lasting: Interval) {
    self.lasting = lasting
  }

  /// When `levelRead` is due with the level at that time; nil if no new level is pending.
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
      // The contact returned before the new level was stable, or an edge in between was lost.
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
  mutating func levelRead(isActive: Bool, at now: Instant) -> [Change] {
    guard isActive != self.isActive else {
      if candidate != nil { bounceCount += 1 }
      candidate = nil
      return []
    }
    // An edge was lost: the level must last like any other level.
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
