import BinnaclePosix
import Simulation

/// `binnacle-sim departures`: the time until an app learns that a resting board moves.
struct DeparturesCommand {
  private let count: UInt64

  init(_ arguments: Arguments) throws {
    let text = arguments.positionals.first ?? "120"
    guard let count = UInt64(text), (1...100_000).contains(count) else {
      throw Arguments.UsageError("departures needs a number from 1 to 100000")
    }
    self.count = count
  }

  func run() throws {
    let rows = DepartureTable.rows(count: count)
    try Output.say(String(DepartureTable.text(rows).dropLast()))
    if let violation = rows.flatMap(\.violations).first { Output.fail(violation, .failure) }
    if !rows.allSatisfy(\.isAsPromised) { Output.fail("that is not as promised", .failure) }
  }
}
