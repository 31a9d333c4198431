import Basics
import Motion

/// A receiver that rests with the board: what it measured while it sleeps is kept from the judge.
///
/// For a minute it stays awake (`RestBeforeSleep`), then it sleeps, and answers 3 s after it is asked: a hot
/// start takes 1 s to 2 s (data sheets of SAM-M10Q and ZED-F9P), and the line has to be woken first.
struct NappingReceiver: Equatable, Sendable {
  private static let restBeforeSleep = Interval.seconds(60)
  private static let hotStart = Interval.seconds(3)

  private var wanted: Instant?

  /// A reading as the judge gets it.
  mutating func pass(_ reading: MotionReading, to machine: RestMachine) -> MotionReading {
    if !machine.wantsReceiver {
      wanted = nil
    } else if wanted == nil {
      wanted = reading.end
    }
    let verdict = machine.verdict
    let isAwake =
      !verdict.isStationary || reading.end - verdict.since < NappingReceiver.restBeforeSleep
      || wanted.map { reading.end - $0 >= NappingReceiver.hotStart } == true
    if isAwake { return reading }
    var deaf = reading
    deaf.solution = nil
    deaf.solutionInstant = nil
    return deaf
  }
}
