import BinnacleBasics
import BinnaclePosix
import Devices

/// The GPIO line by which a chip on a bus calls: a receiver's ready line, or an accelerometer's interrupt line.
struct InterruptLine {
  private let request: LineRequest
  /// How long after a loss the line is claimed again; nil: when ``open(at:)`` is called.
  private let retryPause: Interval?
  private var line: (any Line)?
  private var retryAt: Instant?

  init(_ request: LineRequest, retryPause: Interval? = nil) {
    self.request = request
    self.retryPause = retryPause
  }

  /// The line and its place, for a person.
  var inWords: String { request.inWords }
  /// What to poll; nil while the line is not claimed.
  var descriptor: Int32? { line?.descriptor }
  /// What to poll for reading; nil while there is nothing to read.
  var readableDescriptor: Int32? { line.flatMap { $0.isReadable ? $0.descriptor : nil } }
  var nextDeadline: Instant? { earlier(retryAt, line?.nextDeadline) }

  /// Claims the line, unless it is claimed already or waits for its next attempt.
  mutating func open(at now: Instant) -> [LineFact] {
    line == nil && retryAt == nil ? claim(at: now) : []
  }

  mutating func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact] {
    heard(line?.ready(readiness, at: now) ?? [], at: now)
  }

  mutating func deadlineReached(at now: Instant) -> [LineFact] {
    if let due = retryAt, due <= now { return claim(at: now) }
    guard let line, let due = line.nextDeadline, due <= now else { return [] }
    return heard(line.deadlineReached(at: now), at: now)
  }

  private mutating func claim(at now: Instant) -> [LineFact] {
    retryAt = nil
    var facts: [LineFact] = []
    line = request.open(at: now, into: &facts)
    return heard(facts, at: now)
  }

  private mutating func heard(_ facts: [LineFact], at now: Instant) -> [LineFact] {
    for case .lost in facts {
      line = nil
      retryAt = retryPause.map { now + $0 }
    }
    return facts
  }
}
