import BinnacleBasics
import BinnaclePosix
import Devices

/// The line that a receiver on a bus raises while it has something to say.
struct ReadyLine {
  private let request: LineRequest
  private var line: (any Line)?

  init(_ request: LineRequest) {
    self.request = request
  }

  /// Which line it is, for a person.
  var inWords: String { request.inWords }
  /// What to poll for reading; nil while there is nothing to hear.
  var descriptor: Int32? { line.flatMap { $0.isReadable ? $0.descriptor : nil } }
  var nextDeadline: Instant? { line?.nextDeadline }

  /// Claims the line, if it is not ours already.
  mutating func open(at now: Instant) -> [LineFact] {
    if line != nil { return [] }
    var facts: [LineFact] = []
    line = request.open(at: now, into: &facts)
    return heard(facts)
  }

  mutating func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact] {
    heard(line?.ready(readiness, at: now) ?? [])
  }

  mutating func deadlineReached(at now: Instant) -> [LineFact] {
    guard let line, let due = line.nextDeadline, due <= now else { return [] }
    return heard(line.deadlineReached(at: now))
  }

  private mutating func heard(_ facts: [LineFact]) -> [LineFact] {
    for case .lost in facts { line = nil }
    return facts
  }
}
