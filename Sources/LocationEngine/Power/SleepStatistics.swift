/// The results of sleep orders since the start.
struct SleepStatistics: Equatable, Codable, Sendable {
  var sleeps = 0
  var wakes = 0
  /// The receiver went on sending.
  var refusals = 0
  /// The receiver was heard while it should sleep.
  var wakesByItself = 0
  /// The receiver did not answer when it was woken.
  var failedWakes = 0
  /// Whether this receiver was once seen to sleep and to wake.
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
