import BinnacleBasics
import Motion

/// A receiver that sleeps while the board rests: speeds are left out while the receiver sleeps.
///
/// The receiver stays awake for a minute (`RestBeforeSleep`), then it sleeps. It answers 3 s after a wakeup: a hot
/// start takes 1 s to 2 s (data sheets of SAM-M10Q and ZED-F9P), and the line has to be woken first.
struct SleepingReceiver: Equatable, Sendable {
  private static let restBeforeSleep = Interval.seconds(60)
  private static let hotStart = Interval.seconds(3)

  private var wanted: Instant?

  /// Whether the receiver measures at an instant.
  mutating func isAwake(at now: Instant, _ machine: RestMachine) -> Bool {
    if !machine.wantsReceiver {
      wanted = nil
    } else if wanted == nil {
      wanted = now
    }
    let verdict = machine.verdict
    return !verdict.isStationary || now - verdict.since < SleepingReceiver.restBeforeSleep
      || wanted.map { now - $0 >= SleepingReceiver.hotStart } == true
  }
}
