import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim i2c`: chips and a receiver on a bus whose kernel adapter forwards transfers to this process.
struct I2CCommand {
  private let adapter: String
  private let control: String?
  private let chips: [any SimulatedAccelerometer]
  private let generation: Generation?
  private let oddities: [ReceiverOddity]
  private let interrupts: [InterruptWire]
  private let seed: UInt64
  private let body: SharedBody
  private let isCarried: Bool
  private let wire: PinWire?

  init(_ arguments: Arguments) throws {
    guard let adapter = arguments.value("adapter") else {
      throw Arguments.UsageError("i2c needs --adapter DEVICE")
    }
    self.adapter = adapter
    control = arguments.value("control")
    generation = try arguments.choice("receiver")
    oddities = try arguments.choices("oddities")
    let seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    self.seed = seed
    body = try SharedBody(arguments, else: .journey)
    isCarried = arguments.has("path")
    wire = arguments.value("extint").map(PinWire.init)
    chips = try I2CCommand.pairs("chips", arguments).map { name, address in
      try I2CCommand.chip(name, address, seed: seed)
    }
    interrupts = try I2CCommand.pairs("interrupts", arguments).map { address, file in
      guard let address = BusInstruction.byte(address), let file else {
        throw Arguments.UsageError("option '--interrupts' is like 0x18=FILE")
      }
      return InterruptWire(address: address, file: file)
    }
  }

  func run() throws {
    let now = Clock.now
    let receiver = generation.map { generation in
      SimulatedDDC(
        generation: generation, world: body.world(at: now), start: .hot, seed: seed,
        oddities: oddities, at: now)
    }
    let others: [any SimulatedI2CDevice] = receiver.map { [$0] } ?? []
    var chips = chips
    if isCarried { for index in chips.indices { chips[index].masses.carrier = body.felt(at: now) } }
    let bus = SimulatedI2CBus(accelerometers: chips, others: others, seed: seed)
    let server = try AdapterServer(
      bus, adapter: adapter, control: control, interrupts: interrupts, wire: wire, seed: seed)
    let addresses = chips.map(\.address) + others.map(\.address)
    let names = addresses.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
    try Output.say("i2c: chips at \(names), on \(adapter)")
    try server.run()
  }

  /// Reads a list such as `A=B,C`.
  private static func pairs(
    _ name: String, _ arguments: Arguments
  ) throws -> [(String, String?)] {
    (arguments.value(name) ?? "").split(separator: ",").map { item in
      let words = item.split(separator: "=", maxSplits: 1).map(String.init)
      return (words[0], words.count > 1 ? words[1] : nil)
    }
  }

  private static func chip(
    _ name: String, _ address: String?, seed: UInt64
  ) throws -> any SimulatedAccelerometer {
    guard let model = SimulatedChip(rawValue: name) else {
      let known = SimulatedChip.allCases.map(\.rawValue).joined(separator: ", ")
      throw Arguments.UsageError("option '--chips': '\(name)' is none of \(known)")
    }
    guard let address else { return model.make(address: nil, seed: seed) }
    guard let number = BusInstruction.byte(address) else {
      throw Arguments.UsageError("option '--chips': '\(address)' is no address such as 0x53")
    }
    return model.make(address: number, seed: seed)
  }
}
