import BinnaclePosix
import Simulation

/// `binnacle-sim sleep-days`: the receiver's time on during a day at rest, with its limits and with controls.
struct SleepDaysCommand {
  private let hours: Int

  init(_ arguments: Arguments) throws {
    guard let hours = Int(arguments.positionals.first ?? "24"), (2...240).contains(hours) else {
      throw Arguments.UsageError("sleep-days needs hours from 2 to 240")
    }
    self.hours = hours
  }

  func run() throws {
    try Output.say("\(hours) h at rest, from when the receiver sleeps")
    try Output.say(
      SleepDaysCommand.row(
        [
          "board", "receiver", "on s per 2 h", "at most", "limit", "of the time", "sleeps",
          "to a fix",
        ])
    )
    var isKept = true
    for board in SleepDay.Board.allCases {
      for generation in [Generation.m8, .m10] {
        let outcome = SleepDay(board, generation, seed: 1).run(hours: hours)
        let most = outcome.secondsInTwoHours.max() ?? 0
        let sum = outcome.secondsInTwoHours.reduce(0, +)
        let mean = sum / Double(max(1, outcome.secondsInTwoHours.count))
        if let limit = board.limitSeconds, most > limit { isKept = false }
        try Output.say(
          SleepDaysCommand.row([
            board.rawValue, generation.rawValue, SleepDaysCommand.tenths(mean),
            SleepDaysCommand.tenths(most),
            board.limitSeconds.map { SleepDaysCommand.tenths($0) } ?? "control",
            SleepDaysCommand.tenths(mean / 72) + " %", "\(outcome.sleeps)",
            outcome.secondsToFix.map { SleepDaysCommand.tenths($0) + " s" } ?? "-",
          ]))
      }
    }
    if !isKept { Output.fail("that is more than the limit", .failure) }
  }

  private static func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func row(_ cells: [String]) -> String {
    let widths = [18, 10, 14, 9, 9, 13, 8, 0]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }.joined()
  }
}
