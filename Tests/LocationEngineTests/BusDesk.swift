import Basics
import I2C
import LocationEngine
import Model
import Simulation
import UBX

/// An engine with a simulated receiver on an I2C bus between them, in simulated time.
///
/// The bus carries out one transfer after the other at 100 kbit/s and repeats none.
struct BusDesk {
  var engine: Engine
  var device: SimulatedDDC
  var kind = Event.ReceiverPort.Kind.i2c
  var machine = DDCMachine(address: SimulatedDDC.deliveredAddress)
  var now = Instant.zero
  var effects: [Effect] = []
  /// What came over the bus, whole.
  var bytes: [UInt8] = []
  var transferCount = 0
  private var orders: [(order: I2COrder, number: UInt64, dueAt: Instant)] = []
  private var busyUntil = Instant.zero
  private var outcome: (number: UInt64, answers: [[UInt8]], failure: I2CError?)?

  static let client = ClientID(number: 1)

  init(
    _ generation: Generation = .m10, seed: UInt64 = 1, rateHz: Int = 0,
    faults: SimulatedDDC.Faults = .init()
  ) {
    var configuration = Configuration(daemonUserID: 1_000)
    configuration.rateHz = rateHz
    engine = Engine(configuration: configuration, seed: seed)
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .still),
      skies: [World.Sky(start: .zero, visibility: 1)])
    device = SimulatedDDC(
      generation: generation, world: world, start: .hot, seed: seed, at: .zero)
    device.faults = faults
  }

  mutating func open() {
    handle(.started)
    handle(.clientConnected(BusDesk.client, Peer(userID: 0, processID: 7), program: "test"))
    handle(.updatesOpened(BusDesk.client, SequenceID(number: 1), .default))
  }

  mutating func run(seconds: Double) {
    let end = now + Interval(nanoseconds: Int64(seconds * 1e9))
    while let next = nextInstant, next <= end {
      now = max(now, next)
      step()
    }
    now = end
  }

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  var updates: [Update] {
    effects.compactMap { if case .deliver(_, _, let update) = $0 { update } else { nil } }
  }

  var fixes: [Fix] { updates.compactMap(\.fix) }

  mutating func report() -> Report {
    handle(.statusRequested(BusDesk.client, request: 1))
    for case .report(_, _, let report) in effects.reversed() { return report }
    return Report()
  }

  // MARK: The machinery

  private var nextInstant: Instant? {
    var candidates = [engine.nextDeadline].compactMap { $0 }
    if outcome != nil {
      candidates.append(busyUntil)
    } else if let due = orders.map(\.dueAt).min() {
      candidates.append(max(due, busyUntil))
    }
    return candidates.min()
  }

  private mutating func step() {
    if let finished = outcome, busyUntil <= now {
      outcome = nil
      machine.rateHz = engine.receiverRateHz
      var actions: [DDCMachine.Action] = []
      machine.finished(
        number: finished.number, answers: finished.answers, failure: finished.failure, at: now,
        into: &actions)
      perform(actions)
    }
    if outcome == nil,
      let index = orders.indices.filter({ orders[$0].dueAt <= now })
        .min(by: { orders[$0].dueAt < orders[$1].dueAt })
    {
      carryOut(orders.remove(at: index))
    }
    if let due = engine.nextDeadline, due <= now { handle(.deadlineReached) }
  }

  private mutating func carryOut(_ entry: (order: I2COrder, number: UInt64, dueAt: Instant)) {
    var answers: [[UInt8]] = []
    var failure: I2CError?
    busyUntil = now
    for case .transfer(let transfer) in entry.order.steps where failure == nil {
      transferCount += 1
      let count = transfer.parts.reduce(0) { $0 + $1.count + 1 }
      busyUntil += .microseconds(Int64(count) * 90)
      switch device.carryOut(transfer, at: now) {
      case .answers(let more): answers += more
      case .noAcknowledge: failure = I2CError(.noAcknowledge, "no acknowledge")
      case .timeOut: failure = I2CError(.timeOut, "timed out")
      }
    }
    outcome = (entry.number, answers, failure)
  }

  private mutating func perform(_ actions: [DDCMachine.Action]) {
    for action in actions {
      switch action {
      case .put(let order, let number, let instant): orders.append((order, number, instant))
      case .takeBack(let number): orders.removeAll { $0.number == number }
      case .opened:
        handle(.receiverOpened(.init(kind: kind, address: SimulatedDDC.deliveredAddress)))
      case .failed(let error):
        handle(.receiverLost(.init(kind: .unplugged, text: error.description)))
      case .bytes(let more):
        bytes += more
        handle(.receiverBytesArrived(more))
      case .drained: handle(.receiverDrained)
      case .readyLineGivenUp: continue
      }
    }
  }

  mutating func handle(_ event: Event) {
    var answers: [Effect] = []
    engine.handle(event, at: now, into: &answers)
    effects += answers
    var actions: [DDCMachine.Action] = []
    for effect in answers {
      switch effect {
      case .openReceiver: machine.open(at: now, into: &actions)
      case .closeReceiver: machine.close(into: &actions)
      case .writeReceiver(let bytes): machine.write(bytes, at: now, into: &actions)
      case _: continue
      }
    }
    perform(actions)
  }
}
