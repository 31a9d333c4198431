import BinnacleBasics
import BinnaclePosix
import Glibc
import LocationEngine
import Simulation
import Synchronization

/// `binnacle-sim hunt`: seeds in random order until one fails or the time is over.
///
/// The seeds follow only from the start value, and workers take them in order. With the same start value a hunt tries
/// the same seeds with any number of workers.
struct HuntCommand {
  private let minutes: Double
  private let start: UInt64
  private let workerCount: Int
  private let keepsGoing: Bool
  /// Whether only the boards with a launcher are played.
  private let isOfLife: Bool

  private static let workersMax = 256
  private static let reportPeriod = Interval.seconds(60)

  init(_ arguments: Arguments) throws {
    minutes = try arguments.number("minutes", in: 0.01...100_000) ?? 10
    start =
      try arguments.integer("seed", in: 0...UInt64.max)
      ?? UInt64(bitPattern: Clock.utc.secondsSince1970)
    workerCount =
      try arguments.integer("workers", in: 1...HuntCommand.workersMax)
      ?? min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), HuntCommand.workersMax)
    keepsGoing = arguments.has("keep-going")
    isOfLife = arguments.has("life")
  }

  /// Hunts, and ends the program with a failure when a seed has failed.
  func run() throws {
    let began = Clock.now
    let workerCount = workerCount
    let isOfLife = isOfLife
    let end = began + Interval(nanoseconds: Int64(minutes * 60e9))
    let hunt = Hunt(start: start, end: end, keepsGoing: keepsGoing, workerCount: workerCount)
    let news = try EventFD()
    for number in 1...workerCount {
      try WorkThread.start(name: "hunt \(number)") {
        while let seed = hunt.nextSeed(at: Clock.now) {
          hunt.ended(seed, isOfLife ? LifeRun(seed: seed).finish() : SeedRun(seed: seed).finish())
          news.signal()
        }
        hunt.workerEnded()
        news.signal()
      }
    }
    var poll = Poll()
    poll.set(news.descriptor, .reading)
    var reportAt = began + HuntCommand.reportPeriod
    var isOver = false
    while !isOver {
      try poll.wait(until: reportAt < end ? reportAt : nil)
      news.clear()
      isOver = hunt.isOver
      for line in hunt.takeLines() { try Output.say(line) }
      guard reportAt < end, Clock.now >= reportAt, !isOver else { continue }
      try Output.say(hunt.summary(after: Clock.now - began))
      reportAt = reportAt + HuntCommand.reportPeriod
    }
    try Output.say(hunt.summary(after: Clock.now - began))
    let failures = hunt.failures
    if keepsGoing { for line in failures.lines { try Output.say(line) } }
    if failures.count > 0 { ExitStatus.failure.exit() }
  }
}

/// The state that the workers of a hunt share.
private final class Hunt: Sendable {
  private struct Progress {
    var random: Random
    var workers: Int
    var seedCount = 0
    var failures = FailureClasses()
    /// Verdicts of failed seeds that have not been printed.
    var lines: [String] = []
  }

  private let start: UInt64
  private let end: Instant
  private let keepsGoing: Bool
  private let workerCount: Int
  private let progress: Mutex<Progress>

  init(start: UInt64, end: Instant, keepsGoing: Bool, workerCount: Int) {
    self.start = start
    self.end = end
    self.keepsGoing = keepsGoing
    self.workerCount = workerCount
    progress = Mutex(Progress(random: Random(seed: start), workers: workerCount))
  }

  /// The next seed, short enough to be typed; nil when the hunt is over.
  func nextSeed(at now: Instant) -> UInt64? {
    progress.withLock { progress in
      guard now < end, keepsGoing || progress.failures.count == 0 else { return nil }
      return progress.random.next() >> 32
    }
  }

  func ended(_ seed: UInt64, _ verdict: SeedRun<Engine>.Verdict) {
    progress.withLock { progress in
      progress.seedCount += 1
      guard let complaint = verdict.violations.first else { return }
      progress.failures.add(complaint, seed: seed)
      progress.lines.append("seed \(seed): \(verdict)")
    }
  }

  func workerEnded() { progress.withLock { $0.workers -= 1 } }

  var isOver: Bool { progress.withLock { $0.workers == 0 } }

  var failures: FailureClasses { progress.withLock { $0.failures } }

  func takeLines() -> [String] {
    progress.withLock { progress in
      defer { progress.lines = [] }
      return progress.lines
    }
  }

  /// The number of seeds, their rate, and the start value.
  func summary(after elapsed: Interval) -> String {
    let (count, failed) = progress.withLock { ($0.seedCount, $0.failures.count) }
    let tenths = Int64((Double(count) / max(elapsed.seconds, 0.001) * 10).rounded())
    return "\(count) seeds from --seed \(start) in \(Int64(elapsed.seconds)) s, "
      + "\(tenths / 10).\(tenths % 10) a second with \(workerCount) workers: "
      + (failed == 0 ? "none failed" : "\(failed) failed")
  }
}
