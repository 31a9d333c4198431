import BinnaclePosix
import Simulation

/// `binnacle-sim connections`: the time to positions with lost bytes or mute receivers, and a control.
///
/// A mute receiver answers no poll.
struct ConnectionsCommand {
  private let count: UInt64
  private let generations: [Generation]
  /// The start whose events are printed; nil: the table of all starts.
  private let seed: UInt64?
  private let lossPercent: Double

  init(_ arguments: Arguments) throws {
    let text = arguments.positionals.first ?? "20"
    guard let count = UInt64(text), (1...100_000).contains(count) else {
      throw Arguments.UsageError("connections needs a number from 1 to 100000")
    }
    self.count = count
    let chosen: Generation? = try arguments.choice("generation")
    generations = chosen.map { [$0] } ?? Generation.allCases
    seed = try arguments.integer("seed", in: 1...UInt64.max)
    lossPercent = try arguments.number("loss", in: 0...100) ?? 0
  }

  /// One kind of line and receiver.
  private struct Row {
    var name: String
    var lossChance = 0.0
    var oddities: [ReceiverOddity] = []
    /// The time within which every start must give a position; nil: some starts may give none.
    var positionSecondsMax: Double?
    /// No start may give a position.
    var isControl = false
  }

  private static let rows = [
    Row(name: "0 % lost", positionSecondsMax: 10),
    Row(name: "0.5 % lost", lossChance: 0.005, positionSecondsMax: 30),
    Row(name: "1 % lost", lossChance: 0.01, positionSecondsMax: 60),
    Row(name: "2 % lost", lossChance: 0.02, positionSecondsMax: 120),
    Row(name: "5 % lost", lossChance: 0.05),
    Row(name: "answers no poll", oddities: [.answersNoPoll], positionSecondsMax: 20),
    Row(name: "obeys port only", oddities: [.obeysPortOnly], positionSecondsMax: 40),
    Row(name: "control: 40 % lost", lossChance: 0.4, isControl: true),
  ]

  func run() throws {
    if let seed { return try show(seed) }
    try Output.say(
      "seconds to the first position and to a receiver that is configured, and positions in all, of "
        + "\(count) starts of \(Int(ConnectionTrial.giveUp.seconds)) s each")
    try Output.say(
      ConnectionsCommand.line([
        "line", "receiver", "median", "95 %", "longest", "never", "positions", "configured", "95 %",
        "never",
      ]))
    var broken: [String] = []
    for row in ConnectionsCommand.rows {
      for generation in generations { try run(row, generation, broken: &broken) }
    }
    if !broken.isEmpty { Output.fail(broken.joined(separator: "\n"), .failure) }
  }

  /// Prints each event and effect of one start for each generation.
  private func show(_ seed: UInt64) throws {
    for generation in generations {
      var failure: SystemError?
      let outcome = ConnectionTrial(generation, lossChance: lossPercent / 100, seed: seed).run {
        guard failure == nil else { return }
        do throws(SystemError) { try Output.say($0) } catch { failure = error }
      }
      if let failure { throw failure }
      try Output.say("\(generation.rawValue), seed \(seed): \(outcome)")
    }
  }

  private func run(_ row: Row, _ generation: Generation, broken: inout [String]) throws {
    var positions: [Double] = []
    var configured: [Double] = []
    var counts: [Int] = []
    for seed in 1...count {
      let outcome = ConnectionTrial(
        generation, lossChance: row.lossChance, oddities: row.oddities, seed: seed
      ).run()
      if let violation = outcome.violations.first {
        broken.append("\(row.name), \(generation.rawValue), seed \(seed): \(violation)")
      }
      positions.append(outcome.positionSeconds ?? .infinity)
      counts.append(outcome.positionCount)
      configured.append(outcome.configuredSeconds ?? .infinity)
    }
    positions.sort()
    configured.sort()
    counts.sort()
    let longest = positions[positions.count - 1]
    if let limit = row.positionSecondsMax, longest > limit {
      broken.append("\(row.name), \(generation.rawValue): a position took more than \(limit) s")
    }
    if row.isControl, positions[0].isFinite {
      broken.append("\(row.name), \(generation.rawValue): a position came, and none can")
    }
    try Output.say(
      ConnectionsCommand.line([
        row.name, generation.rawValue, ConnectionsCommand.quantile(0.5, of: positions),
        ConnectionsCommand.quantile(0.95, of: positions), ConnectionsCommand.words(longest),
        "\(positions.count { !$0.isFinite })", "\(counts[counts.count / 2])",
        ConnectionsCommand.quantile(0.5, of: configured),
        ConnectionsCommand.quantile(0.95, of: configured), "\(configured.count { !$0.isFinite })",
      ]))
  }

  private static func quantile(_ share: Double, of sorted: [Double]) -> String {
    words(sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
  }

  private static func words(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "-" }
    let tenths = Int((seconds * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func line(_ cells: [String]) -> String {
    let widths = [20, 10, 8, 8, 9, 7, 11, 12, 8, 0]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }.joined()
  }
}
