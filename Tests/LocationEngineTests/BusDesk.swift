import BinnacleBasics
import BinnacleModel
import I2C
import LocationEngine
import Simulation
import UBX

/// An engine with a simulated receiver on an I2C bus.
typealias BusDesk = BusBoard<Engine>

extension BusBoard where Tested == Engine {
  static var client: ClientID { ClientID(number: 1) }

  init(
    _ generation: Generation = .m10, seed: UInt64 = 1, rateHz: Int = 0,
    faults: SimulatedDDC.Faults = .init(), hasWakeLine: Bool = false,
    oddities: [ReceiverOddity] = [], adjust: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    configuration.navigation.rateHz = rateHz
    configuration.power.hasWakeLine = hasWakeLine
    adjust(&configuration)
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .still),
      skies: [World.Sky(start: .zero, visibility: 1)])
    var device = SimulatedDDC(
      generation: generation, world: world, start: .hot, seed: seed, oddities: oddities,
      at: .zero)
    device.faults = faults
    self.init(
      engine: Engine(configuration: configuration, seed: seed), device: device,
      wire: hasWakeLine ? WakeWire() : nil)
  }

  mutating func open() {
    handle(.started)
    handle(
      .client(
        BusDesk.client, .connected(Peer(userID: 0, processID: 7, isOperator: true), program: "test")
      ))
    handle(.client(BusDesk.client, .updatesOpened(SequenceID(number: 1), .default)))
  }

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  var updates: [Update] {
    effects.compactMap { if case .client(_, .deliver(_, let update)) = $0 { update } else { nil } }
  }

  /// Pulses on the line to its pin EXTINT.
  var pulseCount: Int {
    effects.count {
      if case .line(.receiverWake, .set(isActive: true)) = $0 { true } else { false }
    }
  }

  var fixes: [Fix] { updates.compactMap(\.fix) }

  mutating func report() -> Report {
    handle(.client(BusDesk.client, .requested(1, .status)))
    for case .client(_, .report(_, let report)) in effects.reversed() { return report }
    return Report()
  }

  mutating func word(_ name: String) -> String {
    switch report()[name] {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): "\(number)"
    case .flag(let flag): flag ? "yes" : "no"
    case nil: "-"
    }
  }
}
