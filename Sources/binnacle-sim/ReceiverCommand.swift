import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim receiver`: a simulated receiver in real time on a pseudo-terminal or at the end of a null modem.
struct ReceiverCommand {
  private let place: Place
  private let generation: Generation
  private let start: StartKind
  private let body: SharedBody
  private let seed: UInt64
  /// The free share of the sky in percent.
  private let skyPercent: Int?
  private let keptSpeed: Int?
  private let oddities: [ReceiverOddity]
  private let wire: PinWire?

  private enum Place {
    case pseudoTerminal(path: String)
    case device(String, farEnd: String)

    var isUSB: Bool {
      switch self {
      case .pseudoTerminal: false
      case .device(_, let farEnd): SerialEnd.isUSB(farEnd)
      }
    }
  }

  /// The size of a bulk packet at full speed (USB 2.0, 5.8.3), and of a chunk of a UART's FIFO.
  private static let usbPacketMax = 64
  private static let uartChunk = 8

  init(_ arguments: Arguments) throws {
    place = try ReceiverCommand.place(arguments)
    generation = try arguments.choice("generation") ?? (place.isUSB ? .m8 : .m10)
    guard !place.isUSB || SimulatedPort.usb.isThere(on: generation) else {
      throw Arguments.UsageError("generation \(generation.rawValue) has no USB; m8 has")
    }
    start = try arguments.choice("start") ?? .hot
    body = try SharedBody(arguments, else: .journey)
    seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    skyPercent = try arguments.integer("sky", in: 0...100)
    keptSpeed = try arguments.integer("baud", in: 4_800...921_600)
    oddities = try arguments.choices("oddities")
    wire = arguments.value("extint").map(PinWire.init)
  }

  func run() throws {
    let (line, name) = try open()
    let started = Clock.now
    // The receiver runs on this board's monotonic clock and knows the time of the board's wall clock.
    var world = body.world(at: started)
    if let skyPercent {
      world.skies = [World.Sky(start: .zero, visibility: Double(skyPercent) / 100)]
    }
    var receiver = SimulatedReceiver(
      generation: generation, port: place.isUSB ? .usb : .uart1, world: world, start: start,
      seed: seed, chunk: place.isUSB ? ReceiverCommand.usbPacketMax : ReceiverCommand.uartChunk,
      oddities: oddities, at: started)
    if let keptSpeed { receiver.keepSpeed(keptSpeed) }
    try Output.say(
      "receiver: \(generation.rawValue), seed \(seed), \(start.rawValue) start, on \(name)")
    var isAsleep = false
    var wire = wire
    while true {
      let pollAt = wire == nil ? nil : Clock.now + PinWire.pollPeriod
      let outcome = try line.wait(until: earlier(receiver.nextDeadline, pollAt))
      if wire?.sawEdge() == true { receiver.interruptEdgeCame(at: Clock.now) }
      switch outcome {
      case .stopped: return
      case .gone: return try Output.say("receiver: \(name) is gone")
      case .dipped: receiver.restart(at: Clock.now)
      case .interrupted: receiver.interruptEdgeCame(at: Clock.now)
      case .bytes(let bytes):
        receiver.bytesArrived(bytes, at: line.speed ?? receiver.lineSpeed, at: Clock.now)
      case .deadline: receiver.advance(to: Clock.now)
      }
      if receiver.isAsleep != isAsleep {
        isAsleep.toggle()
        try Output.say("receiver: \(isAsleep ? "sleeps" : "is awake")")
      }
      for chunk in receiver.takeOutput() {
        line.write(
          SerialSampling.heard(
            chunk.bytes, sentAt: chunk.speed, readAt: line.speed ?? chunk.speed))
      }
    }
  }

  private func open() throws -> (VirtualLine, name: String) {
    switch place {
    case .pseudoTerminal(let path):
      (try VirtualLine(path: path, speed: UInt32(keptSpeed ?? 9_600)), path)
    case .device(let device, let farEnd):
      (try VirtualLine(device: device, farEnd: farEnd), device)
    }
  }

  private static func place(_ arguments: Arguments) throws -> Place {
    switch (arguments.value("tty"), arguments.value("line"), arguments.value("far-end")) {
    case (let path?, nil, nil): .pseudoTerminal(path: path)
    case (nil, let device?, let farEnd?): .device(device, farEnd: farEnd)
    default:
      throw Arguments.UsageError("receiver needs --tty PATH, or --line DEVICE --far-end DEVICE")
    }
  }
}
