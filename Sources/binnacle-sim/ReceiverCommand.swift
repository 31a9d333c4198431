import Basics
import Posix
import Simulation

/// `binnacle-sim receiver`: a simulated receiver in real time on a pseudo-terminal.
struct ReceiverCommand {
  private let path: String
  private let generation: Generation
  private let start: StartKind
  private let bodyPath: Body.Path
  private let seed: UInt64
  private let keptSpeed: Int?

  init(_ words: [String]) throws {
    let arguments = try Arguments(
      words,
      options: ["tty", "generation", "seed", "start", "path", "baud"].map {
        Arguments.Option.value($0)
      })
    guard let path = arguments.value("tty") else {
      throw Arguments.UsageError("receiver needs --tty PATH")
    }
    self.path = path
    generation = try arguments.choice("generation") ?? .m10
    start = try arguments.choice("start") ?? .hot
    bodyPath = try arguments.choice("path") ?? .journey
    seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    keptSpeed = try arguments.integer("baud", in: 4_800...921_600)
  }

  func run() throws {
    let line = try VirtualLine(path: path, speed: UInt32(keptSpeed ?? 9_600))
    let started = Clock.now
    // The receiver lives on this board's monotonic clock and knows the time of its wall clock.
    let world = World(
      utcAtZero: Clock.utc + (.zero - started), body: Body(path: bodyPath), departure: started)
    var receiver = SimulatedReceiver(
      generation: generation, world: world, start: start, seed: seed, at: started)
    if let keptSpeed { receiver.keepSpeed(keptSpeed) }
    try Output.say(
      "receiver: \(generation.rawValue), seed \(seed), \(start.rawValue) start, on \(path)")
    while true {
      switch try line.wait(until: receiver.nextDeadline) {
      case .stopped: return
      case .bytes(let bytes): receiver.bytesArrived(bytes, at: line.speed, at: Clock.now)
      case .deadline: receiver.advance(to: Clock.now)
      }
      for chunk in receiver.takeOutput() {
        line.write(
          SerialSampling.heard(chunk.bytes, sentAt: chunk.speed, readAt: line.speed))
      }
    }
  }
}
