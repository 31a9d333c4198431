internal import BinnacleModel

/// Pending updates of a slow loop, oldest first, at most an hour of them.
///
/// Plain fixes and transitions have separate limits. At a limit the buffer drops the oldest update of the same kind.
struct UpdatesBuffer: Equatable {
  /// The most plain fixes: an hour at 1 Hz.
  static let plainCountMax = 3_600
  /// The most transitions: far more than a daemon sends in an hour.
  static let transitionCountMax = 3_600

  private var updates: [Update] = []
  /// The number of entries at the front that were read; these entries are removed in batches.
  private var takenCount = 0
  private var plainCount = 0

  var count: Int { updates.count - takenCount }

  mutating func popFirst() -> Update? {
    guard takenCount < updates.count else { return nil }
    let update = updates[takenCount]
    takenCount += 1
    if !update.isTransition { plainCount -= 1 }
    if takenCount * 2 >= updates.count {
      updates.removeFirst(takenCount)
      takenCount = 0
    }
    return update
  }

  /// Adds an update; returns whether an older update was dropped.
  mutating func append(_ update: Update) -> Bool {
    updates.append(update)
    if update.isTransition {
      guard count - plainCount > UpdatesBuffer.transitionCountMax else { return false }
    } else {
      plainCount += 1
      guard plainCount > UpdatesBuffer.plainCountMax else { return false }
    }
    let isTransition = update.isTransition
    let victim = updates[takenCount...].firstIndex { $0.isTransition == isTransition }
    guard let victim else { return false }
    updates.remove(at: victim)
    if !isTransition { plainCount -= 1 }
    return true
  }
}
