import Accelerometers
import BinnacleBasics
import BinnacleModel
import Simulation

@testable import LocationEngine

/// A board that rests with a simulated receiver, and with an accelerometer or without; it counts how long the
/// receiver is truly on.
struct PowerDesk {
  var desk: EngineDesk
  var hasAccelerometer: Bool
  private var random = Random(seed: 5)
  private var sampleNumber = 0
  private var countingSince = (on: Interval.zero, sleeps: 0)

  static let dwell = Interval.seconds(60)

  init(
    _ generation: Generation = .m10, hasAccelerometer: Bool = true, seed: UInt64 = 1,
    kind: Event.ReceiverPort.Kind = .uart, oddities: [ReceiverOddity] = [],
    skies: [World.Sky] = [World.Sky(start: .zero, visibility: 1)],
    adjust: (inout Configuration) -> Void = { _ in }
  ) {
    self.hasAccelerometer = hasAccelerometer
    desk = EngineDesk(generation, seed: seed, path: .journey, skies: skies) {
      $0.hasAccelerometer = hasAccelerometer
      $0.motion.dwells.default = PowerDesk.dwell
      adjust(&$0)
    }
    desk.kind = kind
    desk.receiver = SimulatedReceiver(
      generation: generation, port: kind == .usb ? .usb : .uart1, world: desk.receiver.world,
      start: .hot, seed: seed, oddities: oddities, at: .zero)
    // The body departs only when a test sets the departure.
    desk.receiver.world.departure = .zero + .seconds(1_000_000_000)
  }

  /// The body goes on its journey; it starts to roll at once.
  mutating func depart() { desk.receiver.world.departure = desk.now - .seconds(10) }

  /// Half seconds of samples at 10 Hz that sway by so many thousandths of g.
  mutating func run(seconds: Double, shake milliG: Double = 0) {
    for _ in 0..<Int(seconds * 2) {
      let first = desk.now
      desk.run(seconds: 0.5)
      if hasAccelerometer { feel(milliG, from: first) }
    }
  }

  private mutating func feel(_ milliG: Double, from first: Instant) {
    var counts: [Int16] = []
    for _ in 0..<5 {
      sampleNumber += 1
      let sway = sampleNumber / 2 % 2 == 0 ? milliG : -milliG
      for still in [0.0, 0.0, 1_000.0] {
        counts.append(Int16(still + sway + 4 * random.unit()))
      }
    }
    let batch = AccelerationBatch(
      first: first, interval: .milliseconds(100), gPerCount: 0.001, counts: counts)
    desk.send(.accelerometer(.samples(batch)))
  }

  /// Runs until the board's updates pause and its receiver sleeps for long, or for ten minutes.
  mutating func fallAsleep() {
    for _ in 0..<600 {
      run(seconds: 1)
      let book = desk.engine.receiver.memory.sleep
      if desk.engine.receiver.powerState == .asleep, book.isWakeProven { return }
    }
  }

  mutating func startCounting() {
    countingSince = (desk.receiver.timeOn(at: desk.now), desk.receiver.counters.sleeps)
  }

  /// How long the receiver was truly on since counting began.
  var onSeconds: Double {
    (desk.receiver.timeOn(at: desk.now) - countingSince.on).seconds
  }

  /// How often it fell asleep since.
  var sleepCount: Int { desk.receiver.counters.sleeps - countingSince.sleeps }

  var isAsleep: Bool { desk.engine.receiver.powerState == .asleep && desk.receiver.isAsleep }

  func words(_ name: String, in report: Report) -> String {
    switch report[name] {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): "\(number)"
    case .flag(let flag): flag ? "yes" : "no"
    case nil: "-"
    }
  }

  mutating func word(_ name: String) -> String { words(name, in: desk.report()) }
}
