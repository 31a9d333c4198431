import Motion

/// A recording, played to the detectors of the table in all variants of the table.
public struct ScoreTrial: Sendable {
  private var recorded: MotionTrial
  private let variants: [SolutionVariant]
  private var solutions: [MotionTrial]
  private var chips: [MotionTrial]

  /// The result of a recording.
  public struct Outcome: Equatable, Sendable {
    /// The result of the unchanged recording, for each of ``MotionScore/settings``.
    public var recorded: MotionTrial.Outcome
    /// The results with other receivers.
    var solutions: [SolutionVariant: MotionTrial.Outcome]
    /// The results for each of ``MotionScore/chips``; empty when the recording is not played with other chips.
    var chips: [MotionTrial.Outcome]
  }

  /// - Parameter name: the recording's name; the part before two underscores names its set and decides the variants.
  public init(name: String) {
    recorded = MotionTrial(name: name, settings: MotionScore.settings)
    let hasSpeed = MotionScore.setsWithSpeed.contains { name.hasPrefix($0) }
    let isDesk = MotionScore.setsAtDesks.contains { name.hasPrefix($0) }
    // A receiver that reports exact rest adds no information at a desk.
    variants = MotionScore.variants.filter { hasSpeed || isDesk && $0 != .hertz1 }
    solutions = variants.map {
      MotionTrial(name: name, settings: MotionScore.variantSettings, solutions: $0)
    }
    chips =
      MotionScore.setsThatCreep.contains { name.hasPrefix($0) }
      ? MotionScore.chips.map {
        MotionTrial(name: name, settings: MotionScore.chipSettings, chip: $0)
      } : []
  }

  public mutating func take(_ row: MotionRow) {
    recorded.take(row)
    for index in solutions.indices { solutions[index].take(row) }
    for index in chips.indices { chips[index].take(row) }
  }

  public mutating func finish() -> Outcome {
    var outcome = Outcome(recorded: recorded.finish(), solutions: [:], chips: [])
    for (index, variant) in variants.enumerated() {
      outcome.solutions[variant] = solutions[index].finish()
    }
    for index in chips.indices { outcome.chips.append(chips[index].finish()) }
    return outcome
  }
}
