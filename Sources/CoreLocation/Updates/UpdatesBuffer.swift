internal import BinnacleModel

/// Updates that a slow loop has not taken yet, oldest first, at most an hour of them.
///
/// When it is full, the oldest plain fix goes; updates that explain or announce stay, unless there is
/// nothing else to drop.
struct UpdatesBuffer: Equatable {
  /// Plain fixes that are kept: an hour at one a second.
  static let plainCountMax = 3_600
  /// Transitions that are kept: far more than a daemon sends in an hour.
  static let transitionCountMax = 3_600

  private var updates: [Update] = []
  /// How many at the front have been taken already; they are removed in bulk.
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

  /// Adds an update and says whether an older one was dropped for it.
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
