import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim play`: a recording in its own time on a pseudo-terminal.
struct PlayCommand {
  /// The time that a program has to read the last bytes.
  private static let readTimeMax = Interval.seconds(10)

  private let file: String
  private let path: String
  private let factor: Double
  private let isLoop: Bool

  init(_ arguments: Arguments) throws {
    guard let file = arguments.positionals.first, let path = arguments.value("tty") else {
      throw Arguments.UsageError("play needs FILE and --tty PATH")
    }
    self.file = file
    self.path = path
    factor = try arguments.number("speed", in: 0.01...10_000) ?? 1
    isLoop = arguments.has("loop")
  }

  func run() throws {
    let bytes: [UInt8]
    do {
      bytes = try Files.read(file, sizeMax: 1 << 30, acceptsPipes: true)
    } catch {
      Output.fail("\(error)", .inputMissing)
    }
    let schedule = RecordingSchedule(of: bytes, factor: factor)
    guard !schedule.pieces.isEmpty else { Output.fail("\(file) is empty", .dataDamaged) }
    let line = try VirtualLine(path: path, speed: 115_200)
    let seconds = Int(schedule.duration.seconds.rounded(.up))
    try Output.say(
      "play: \(bytes.count) bytes, \(schedule.epochCount) epochs, \(seconds) s, on \(path)")
    while !line.isOpen {
      switch try line.wait(until: Clock.now + .milliseconds(20)) {
      case .stopped, .gone: return
      case .deadline, .bytes, .dipped, .interrupted: continue
      }
    }
    var start = Clock.now
    var isComplete = true
    repeat {
      for piece in schedule.pieces {
        guard try isDue(start + piece.due, line) else { return }
        isComplete = line.write(Array(bytes[piece.range])) && isComplete
      }
      start += schedule.duration
    } while isLoop
    let end = Clock.now + PlayCommand.readTimeMax
    repeat {
      guard try isDue(Clock.now + .milliseconds(500), line) else { return }
    } while line.hasUnreadBytes && Clock.now < end
    if line.hasUnreadBytes || !isComplete {
      try Output.say("play: bytes were lost, because no program read \(path) in time")
    }
  }

  /// Waits and drops bytes that are written to the line; false when the program has to end.
  private func isDue(_ due: Instant, _ line: VirtualLine) throws -> Bool {
    while true {
      switch try line.wait(until: due) {
      case .deadline: return true
      case .stopped, .gone: return false
      case .bytes, .dipped, .interrupted: continue
      }
    }
  }
}
