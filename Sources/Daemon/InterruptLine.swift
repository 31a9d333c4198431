import BinnacleBasics
import BinnaclePosix
import Devices

/// The GPIO line on which a chip on a bus signals: a receiver's ready line, or an accelerometer's interrupt line.
struct InterruptLine {
  private let request: LineRequest
  /// The time between a loss of the line and the next claim; nil: the line is claimed only by ``open(at:)``.
  private let retryPause: Interval?
  private var line: (any Line)?
  private var retryAt: Instant?

  init(_ request: LineRequest, retryPause: Interval? = nil) {
    self.request = request
    self.retryPause = retryPause
  }

  /// The line and its chip, for a person.
  var inWords: String { request.inWords }
  /// The descriptor to poll; nil while the line is not claimed.
  var descriptor: Int32? { line?.descriptor }
  /// The descriptor to poll for reading; nil if the line has nothing to read.
  var readableDescriptor: Int32? { line.flatMap { $0.isReadable ? $0.descriptor : nil } }
  var nextDeadline: Instant? { earlier(retryAt, line?.nextDeadline) }

  /// Claims the line, unless the line is claimed or the retry time has not passed.
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
