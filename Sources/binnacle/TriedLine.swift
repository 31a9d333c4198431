import BinnacleBasics
import BinnaclePosix
import Devices

/// A GPIO line in a test, with its facts that were not read yet.
final class TriedLine {
  /// The line's name, and its key in the profile.
  let name: String
  let key: String
  private var line: (any Line)?
  private var facts: [LineFact] = []

  /// Claims the line; the outcome is the first fact.
  init(_ request: LineRequest, key: String) {
    name = request.claim.line
    self.key = key
    line = request.open(at: Clock.now, into: &facts)
  }

  /// The descriptor to poll, and the events; nil if the line is not claimed.
  var polled: (descriptor: Int32, interest: Poll.Interest)? {
    line.map { ($0.descriptor, $0.isReadable ? .reading : []) }
  }

  /// The time-out of an answer.
  var nextDeadline: Instant? { line?.nextDeadline }

  func set(_ isActive: Bool) {
    if let line { facts += line.set(isActive, at: Clock.now) }
  }

  func read() {
    if let line { facts += line.read(at: Clock.now) }
  }

  /// Handles the result of a poll.
  func turn(_ readiness: Poll.Readiness) {
    guard let line else { return }
    let now = Clock.now
    if !readiness.isEmpty { facts += line.ready(readiness, at: now) }
    if let due = line.nextDeadline, due <= now { facts += line.deadlineReached(at: now) }
  }

  /// The oldest unread fact; a lost line is released.
  func nextFact() -> LineFact? {
    guard !facts.isEmpty else { return nil }
    let fact = facts.removeFirst()
    if case .lost = fact { line = nil }
    return fact
  }
}
