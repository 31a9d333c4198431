/// Finds axes whose value stays the same while the board moves: a broken wire or a broken chip.
///
/// At rest the steps of a coarse chip hide its noise, so an axis may keep its value for hours. While the board
/// sways by more than any such step, each sound axis changes.
struct AxisWatch: Equatable, Codable, Sendable {
  /// The least sway for the check; it is larger than a step of the coarsest chip (16 thousandths of g).
  private static let swayMin = 40.0
  /// The number of such hops without a change: 10 s.
  private static let hopsMin = 40

  private var last: FineAcceleration?
  private var hasChanged = [false, false, false]
  private var stillHops = [0, 0, 0]

  mutating func sampleArrived(_ sample: FineAcceleration) {
    if let last {
      if sample.x != last.x { hasChanged[0] = true }
      if sample.y != last.y { hasChanged[1] = true }
      if sample.z != last.z { hasChanged[2] = true }
    }
    last = sample
  }

  /// Ends a hop with its sway in thousandths of g; nil: no measurement.
  mutating func hopEnded(_ sway: Double?) {
    for axis in stillHops.indices {
      if hasChanged[axis] {
        stillHops[axis] = 0
      } else if let sway, sway > AxisWatch.swayMin {
        stillHops[axis] = min(stillHops[axis] + 1, AxisWatch.hopsMin)
      }
      hasChanged[axis] = false
    }
  }

  var dead: [AccelerometerAxis] {
    zip(AccelerometerAxis.allCases, stillHops).filter { $0.1 >= AxisWatch.hopsMin }.map(\.0)
  }
}
