/// The time until an app learns that a resting board moves, over many departures.
public enum DepartureTable {
  /// A row of the table.
  public struct Row: Equatable, Sendable {
    public let receiver: DepartureTrial.Receiver
    public let way: DepartureTrial.Way
    /// Sorted; an app without an update within two minutes counts as two minutes.
    public let seconds: [Double]
    public let violations: [String]

    public func percentile(_ share: Double) -> Double {
      let index = Int((share * Double(seconds.count)).rounded(.up)) - 1
      return seconds.isEmpty ? 0 : seconds[min(max(index, 0), seconds.count - 1)]
    }

    var limitSeconds: Double { receiver.limitSeconds }

    /// Whether 95 % of the updates are in time; in the control, whether they are late.
    public var isAsPromised: Bool {
      violations.isEmpty
        && (percentile(0.95) <= limitSeconds) == (receiver != .forgetful)
    }

    var text: String {
      let cells = [
        receiver.rawValue, way.rawValue, "\(seconds.count)", fixed(percentile(0.5)),
        fixed(percentile(0.95)),
        fixed(seconds.last ?? 0), fixed(limitSeconds),
      ]
      return DepartureTable.row(cells)
    }

    private func fixed(_ seconds: Double) -> String {
      let hundredths = Int((seconds * 100).rounded())
      return "\(hundredths / 100).\(String(100 + hundredths % 100).dropFirst())"
    }
  }

  public static func rows(count: UInt64) -> [Row] {
    let ways = DepartureTrial.Way.allCases
    return DepartureTrial.Receiver.allCases.flatMap { one in ways.map { (one, $0) } }.map {
      receiver, way in
      var seconds: [Double] = []
      var violations: [String] = []
      for seed in 1...max(1, count) {
        let outcome = DepartureTrial(seed: seed, way).run(receiver)
        seconds.append(outcome.seconds ?? 120)
        violations += outcome.violations.map { "seed \(seed), \(receiver.rawValue): \($0)" }
      }
      return Row(receiver: receiver, way: way, seconds: seconds.sorted(), violations: violations)
    }
  }

  public static func text(_ rows: [Row]) -> String {
    let head = row(["receiver", "the board", "departures", "s 50", "95", "worst", "limit of 95"])
    return "Departures, from the first motion to the first update (dwell 60 s)\n\n"
      + ([head] + rows.map(\.text)).joined(separator: "\n") + "\n"
  }

  private static func row(_ cells: [String]) -> String {
    let widths = [20, 18, 12, 8, 8, 8, 0]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(0, width - cell.count))
    }.joined()
  }
}
