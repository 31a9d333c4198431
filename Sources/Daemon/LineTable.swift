import BinnacleBasics
import BinnaclePosix
import Devices
import LocationEngine

/// The claimed GPIO lines: carries out the engine's orders and reports events.
struct LineTable {
  let wanted: [PanelPlan.Wanted]
  private var lines: [Claimed] = []

  private struct Claimed {
    let id: LineID
    let line: any Line
  }

  init(_ wanted: [PanelPlan.Wanted]) {
    self.wanted = wanted
  }

  /// The descriptors to poll; a descriptor that is not readable is polled for the loss of the chip only.
  var descriptors: [(id: LineID, number: Int32, isReadable: Bool)] {
    lines.map { ($0.id, $0.line.descriptor, $0.line.isReadable) }
  }

  /// The time-out of a virtual board's answer.
  var nextDeadline: Instant? { lines.compactMap(\.line.nextDeadline).min() }

  // MARK: Orders

  mutating func open(_ id: LineID, at now: Instant, into events: inout [Event]) {
    // The old claim is released first, because it would block the new claim.
    lines.removeAll { $0.id == id }
    guard let request = wanted.first(where: { $0.id == id })?.request else { return }
    var facts: [LineFact] = []
    if let line = request.open(at: now, into: &facts) {
      lines.append(Claimed(id: id, line: line))
    }
    deliver(facts, of: id, into: &events)
  }

  mutating func set(
    _ id: LineID, _ isActive: Bool, at now: Instant, into events: inout [Event]
  ) {
    guard let line = line(id) else { return }
    deliver(line.set(isActive, at: now), of: id, into: &events)
  }

  mutating func read(_ id: LineID, at now: Instant, into events: inout [Event]) {
    guard let line = line(id) else { return }
    deliver(line.read(at: now), of: id, into: &events)
  }

  // MARK: Poll results

  mutating func ready(
    _ id: LineID, _ readiness: Poll.Readiness, at now: Instant, into events: inout [Event]
  ) {
    guard let line = line(id) else { return }
    deliver(line.ready(readiness, at: now), of: id, into: &events)
  }

  mutating func deadlineReached(at now: Instant, into events: inout [Event]) {
    for claimed in lines {
      guard let due = claimed.line.nextDeadline, due <= now else { continue }
      deliver(claimed.line.deadlineReached(at: now), of: claimed.id, into: &events)
    }
  }

  // MARK: Helpers

  private func line(_ id: LineID) -> (any Line)? { lines.first { $0.id == id }?.line }

  private mutating func deliver(_ facts: [LineFact], of id: LineID, into events: inout [Event]) {
    for fact in facts {
      switch fact {
      case .opened(let isActive, let isDebounced):
        events.append(.line(id, .opened(isActive: isActive, isDebounced: isDebounced)))
      case .edge(let isActive, let instant):
        events.append(.line(id, .edge(isActive: isActive, at: instant)))
      case .level(let isActive): events.append(.line(id, .read(isActive: isActive)))
      case .lost(let error):
        lines.removeAll { $0.id == id }
        events.append(.line(id, .lost(error)))
      }
    }
  }
}
