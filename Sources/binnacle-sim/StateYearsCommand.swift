import BinnacleBasics
import BinnaclePosix
import Simulation
import StateLog

/// `binnacle-sim state-years`: the state log after years of a board's life.
struct StateYearsCommand {
  /// The maximum time of a recovery for each MiB of log.
  private static let recoveryMax = Interval.milliseconds(50)

  private let years: Int

  init(_ arguments: Arguments) throws {
    let text = arguments.positionals.first ?? "10"
    guard let years = Int(text), (1...100).contains(years) else {
      throw Arguments.UsageError("state-years needs a number from 1 to 100")
    }
    self.years = years
  }

  func run() throws {
    var life = StateYears(seed: 1)
    life.run(years: years)
    if let complaint = life.complaint { Output.fail(complaint, .failure) }
    var disk = life.disk
    try Output.say("years:        \(years)")
    try Output.say("changes:      \(life.changeCount) in \(life.commitCount) commits")
    try Output.say("power cuts:   \(life.cutCount)")
    try Output.say("compactions:  \(life.compactionCount)")
    let perDay = disk.bytesWritten / (years * 365)
    try Output.say("written:      \(disk.bytesWritten) bytes, \(perDay) a day")
    try Output.say("file:         \(disk.byteCount) bytes, as at the start")
    try Output.say("records kept: \(life.recordCount)")
    guard let geometry = StateYears.geometry else { return }
    try recover(&disk, geometry, StateYears.owner, count: life.recordCount)
    let tracks = try FullTrackLog(seed: 1)
    disk = tracks.disk
    try Output.say("tracks:       \(disk.byteCount) bytes, \(tracks.stretchCount) stretches")
    try recover(&disk, FullTrackLog.geometry, FullTrackLog.owner, count: tracks.stretchCount)
  }

  /// Reads a log repeatedly and reports the slowest recovery.
  private func recover(
    _ disk: inout SimulatedDisk, _ geometry: LogGeometry, _ owner: UInt64, count: Int
  ) throws {
    let mebibytes = Int64(disk.byteCount >> 20)
    var slowest = Interval.zero
    for _ in 0..<20 {
      let start = Clock.now
      let recovery = Recovery(of: &disk, owner: owner, expecting: geometry)
      slowest = max(slowest, Clock.now - start)
      guard recovery.records.entries.count == count else {
        Output.fail("recovery found \(recovery.records.entries.count) records", .failure)
      }
    }
    let milliseconds = Double(slowest.nanoseconds) / 1e6
    let limit = StateYearsCommand.recoveryMax * mebibytes
    try Output.say(
      "recovery:     \(milliseconds) ms, the slowest of 20; \(mebibytes) MiB may take "
        + "\(limit.seconds * 1_000) ms")
    if slowest > limit { Output.fail("recovery takes too long", .failure) }
  }
}
