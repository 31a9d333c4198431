import BinnacleBasics
import BinnaclePosix
import Simulation

/// `binnacle-sim body`: a simulated journey as a recording of motion.
struct JourneyCommand {
  private let path: Body.Path
  private let seed: UInt64
  private let seconds: Int64

  init(_ arguments: Arguments) throws {
    path = try arguments.choice("path") ?? .journey
    seed = try arguments.integer("seed", in: 0...UInt64.max) ?? 1
    seconds = try arguments.integer("seconds", in: 1...864_000) ?? Int64(path.legSeconds)
  }

  func run() throws {
    var rows = JourneyRows(path, seed: seed)
    try Output.say("t_s,ax_g,ay_g,az_g,label,gps_speed,truth_speed")
    let end = Instant.zero + .seconds(seconds)
    while true {
      let truth = rows.trueSpeed
      let row = rows.next()
      guard row.instant < end else { return }
      let sample = row.acceleration.map { [$0.x, $0.y, $0.z] } ?? []
      var fields = [MotionText.decimal((row.instant - .zero).seconds, places: 2)]
      fields += sample.map { MotionText.decimal($0, places: 3) } + ["\(row.label)"]
      fields.append(row.speed.map { MotionText.decimal($0, places: 3) } ?? "")
      fields.append(MotionText.decimal(truth, places: 3))
      try Output.say(fields.joined(separator: ","))
    }
  }
}
