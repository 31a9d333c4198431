/// What has come of sending receivers to sleep since the start.
struct SleepStatistics: Equatable, Codable, Sendable {
  var sleeps = 0
  var wakes = 0
  /// It went on sending.
  var refusals = 0
  /// It was heard in its sleep.
  var wakesByItself = 0
  /// It did not answer when it was woken.
  var failedWakes = 0
  /// Whether the receiver at hand was seen to sleep and woken once.
  var isWakeProven = false

  mutating func add(_ ending: SleepMachine.Ending) {
    switch ending {
    case .woken(_, _, let hasSlept):
      wakes &+= 1
      if hasSlept { isWakeProven = true }
    case .byItself: wakesByItself &+= 1
    case .refused: refusals &+= 1
    case .gone:
      failedWakes &+= 1
      isWakeProven = false
    }
  }
}
