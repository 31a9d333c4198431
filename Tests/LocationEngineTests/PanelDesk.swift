import BinnacleBasics
import BinnacleModel
import StateLog
import TestSupport

@testable import LocationEngine

/// An engine with buttons and lights, lines that follow each order, and a clock.
struct PanelDesk {
  @Indirect var engine: Engine
  var now = Instant.zero
  var effects: [Effect] = []
  /// The level of each line; a fault makes a line keep its level.
  var levels: [LineID: Bool] = [:]
  var stuck: Set<LineID> = []
  /// The lines that cannot be claimed.
  var busy: Set<LineID> = []
  /// How often the loop woke for the engine's deadline.
  var wakeCount = 0

  static let home = LineID.button(0)

  init(_ adjust: (inout PanelSettings) -> Void = { _ in }) {
    var configuration = Configuration()
    configuration.panel.hasIndicator = true
    configuration.panel.hasStatusLight = true
    configuration.panel.buttons = [.init(name: "HOME"), .init(name: "ALLOW")]
    adjust(&configuration.panel)
    engine = Engine(configuration: configuration, seed: 1)
  }

  mutating func start() {
    send(.storage(.read(StateReading())))
    send(.started)
    send(.receiver(.openFailed(.init(.missing, "no such device"))))
  }

  mutating func send(_ event: Event) {
    var queue = [event]
    while !queue.isEmpty {
      var answers: [Effect] = []
      engine.handle(queue.removeFirst(), at: now, into: &answers)
      for effect in answers { perform(effect, &queue) }
      effects += answers
    }
  }

  private mutating func perform(_ effect: Effect, _ queue: inout [Event]) {
    switch effect {
    case .line(let line, .open):
      if busy.contains(line) {
        queue.append(.line(line, .lost(LineFault(.busy, "held by 'led0'"))))
      } else {
        if !stuck.contains(line), levels[line] == nil { levels[line] = false }
        queue.append(.line(line, .opened(isActive: levels[line] ?? false, isDebounced: false)))
      }
    case .line(let line, .set(let isActive)):
      if !stuck.contains(line) { levels[line] = isActive }
      queue.append(.line(line, .read(isActive: levels[line] ?? false)))
    case .line(let line, .read): queue.append(.line(line, .read(isActive: levels[line] ?? false)))
    case .storage(.commit(let number, _)):
      queue.append(
        .storage(
          .committed(
            number,
            CommitReceipt(sequence: 1, bytesWritten: 4_096, flushCount: 1, isCompaction: false))))
    case .receiver, .client, .watchAccelerometer, .storage(.open), .track, .launcher, .log:
      break
    }
  }

  mutating func run(milliseconds: Int64) {
    let end = now + .milliseconds(milliseconds)
    while let due = engine.nextDeadline, due <= end {
      precondition(wakeCount < 100_000, "the engine's deadline does not pass")
      now = max(now, due)
      wakeCount += 1
      send(.deadlineReached)
    }
    now = end
  }

  mutating func edge(_ line: LineID = home, _ isActive: Bool) {
    levels[line] = isActive
    send(.line(line, .edge(isActive: isActive, at: now)))
  }

  mutating func press(_ line: LineID = home, milliseconds: Int64) {
    edge(line, true)
    run(milliseconds: milliseconds)
    edge(line, false)
  }

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  mutating func report() -> Report {
    send(.client(ClientID(number: 1), .requested(1, .status)))
    for case .client(_, .report(_, let report)) in effects.reversed() { return report }
    return Report()
  }
}
