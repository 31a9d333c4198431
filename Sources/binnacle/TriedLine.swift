import BinnacleBasics
import BinnaclePosix
import Devices

/// A GPIO line while it is tried, and what it has said that nobody has heard yet.
final class TriedLine {
  /// The line's name, and the key of the profile that names it.
  let name: String
  let key: String
  private var line: (any Line)?
  private var facts: [LineFact] = []

  /// Claims it; what came of that is the first fact.
  init(_ request: LineRequest, key: String) {
    name = request.claim.line
    self.key = key
    line = request.open(at: Clock.now, into: &facts)
  }

  /// What to poll, and what for; nil when the line is not ours.
  var polled: (descriptor: Int32, interest: Poll.Interest)? {
    line.map { ($0.descriptor, $0.isReadable ? .reading : []) }
  }

  /// When an answer is overdue.
  var nextDeadline: Instant? { line?.nextDeadline }

  func set(_ isActive: Bool) {
    if let line { facts += line.set(isActive, at: Clock.now) }
  }

  func read() {
    if let line { facts += line.read(at: Clock.now) }
  }

  /// The loop has waited.
  func turn(_ readiness: Poll.Readiness) {
    guard let line else { return }
    let now = Clock.now
    if !readiness.isEmpty { facts += line.ready(readiness, at: now) }
    if let due = line.nextDeadline, due <= now { facts += line.deadlineReached(at: now) }
  }

  /// The oldest fact that nobody has heard; a line that is lost is let go of.
  func nextFact() -> LineFact? {
    guard !facts.isEmpty else { return nil }
    let fact = facts.removeFirst()
    if case .lost = fact { line = nil }
    return fact
  }
}
