import BinnacleBasics
import BinnacleModel
import LocationEngine
import TestSupport
import UBX

/// The engine at a line on which nothing answers: a receiver that is not u-blox, a transmit line alone, or a player.
struct UnansweredLine {
  @Indirect var engine = Engine(configuration: Configuration(), seed: 1)
  var effects: [Effect] = []
  var now = Instant.zero

  /// - Parameters:
  ///   - kind: the kind of the line.
  ///   - clock: the time of a trusted clock; nil: the clock is not known to be right.
  init(_ kind: Event.ReceiverPort.Kind = .uart, clock: UTCTime? = nil) {
    send(.started)
    if let clock { send(.wallClockRead(clock, within: .seconds(1))) }
    send(.receiver(.opened(.init(kind: kind, speed: 38_400))))
    send(
      .client(
        ClientID(number: 1),
        .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "test")))
    send(.client(ClientID(number: 1), .updatesOpened(SequenceID(number: 1), .default)))
  }

  mutating func send(_ event: Event) {
    while let due = engine.nextDeadline, due <= now { handle(.deadlineReached, at: due) }
    handle(event, at: now)
  }

  private mutating func handle(_ event: Event, at instant: Instant) {
    var orders: [Effect] = []
    engine.handle(event, at: instant, into: &orders)
    effects += orders
    for case .receiver(.setSpeed(let speed)) in orders {
      handle(.receiver(.speedChanged(speed)), at: instant)
    }
  }

  /// Sends a burst a second, in reads of 16 bytes.
  mutating func play(seconds: Int, _ burst: (Int) -> [UInt8]) {
    for second in 0..<seconds {
      let start = now
      play(burst(second), each: 16, in: .milliseconds(16))
      now = max(now, start + .seconds(1))
    }
  }

  /// Sends bytes in reads of this size, one in each interval.
  mutating func play(_ bytes: [UInt8], each size: Int, in interval: Interval) {
    var rest = bytes[...]
    while !rest.isEmpty {
      now += interval
      send(.receiver(.bytesArrived(Array(rest.prefix(size)))))
      rest = rest.dropFirst(size)
    }
  }

  var fixes: [Fix] {
    effects.compactMap {
      if case .client(_, .deliver(_, let update)) = $0 { update.fix } else { nil }
    }
  }

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  mutating func report() -> Report {
    send(.client(ClientID(number: 1), .requested(1, .status)))
    for case .client(_, .report(_, let report)) in effects.reversed() { return report }
    return Report()
  }

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  static func frame(_ text: String, end: String = "\r\n") -> [UInt8] {
    NMEASentence(text: text).frame.dropLast(2) + Array(end.utf8)
  }
}
