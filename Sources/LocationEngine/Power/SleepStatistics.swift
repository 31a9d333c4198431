/// The results of sleep orders since the start.
struct SleepStatistics: Equatable, Codable, Sendable {
  var sleeps = 0
  var wakes = 0
  /// Sleeps in which the receiver kept sending.
  var refusals = 0
  /// Sleeps in which the receiver was heard before its wake-up.
  var wakesByItself = 0
  /// Wake-ups that the receiver did not answer.
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
