/// The quality of one detector setting on some recordings.
///
/// The definitions are those of the published comparison of detectors to which the figures are compared. A hop is a
/// quarter of a second. The first two seconds of motion and the first three seconds of rest are not scored.
public struct MotionFigures: Equatable, Sendable {
  private let dwellHops: Int
  private var movingHops = 0
  private var restHops = 0
  private var pausedMovingHops = 0
  private var pausedStillHops = 0
  /// The number of pauses that began while the board moved.
  private(set) var falsePauseCount = 0
  private var falseResumeCount = 0
  private(set) var stopCount = 0
  private(set) var pausedStopCount = 0
  private var excesses: [Double] = []
  private var resumes: [Double] = []
  private(set) var scoredMoving = (hops: 0, wrong: 0)
  private var scoredStill = (hops: 0, wrong: 0)

  public static func == (left: MotionFigures, right: MotionFigures) -> Bool {
    left.pauses == right.pauses && left.bare == right.bare
  }

  public init(dwellSeconds: Int) {
    dwellHops = dwellSeconds * 4
  }

  /// Adds a recording.
  public mutating func add(labels: [Int], verdicts: [Bool]) {
    let still = MotionFigures.runs(of: 0, in: labels)
    let moving = MotionFigures.runs(of: 1, in: labels)
    for (label, isPaused) in zip(labels, verdicts) {
      if label == 1 { movingHops += 1 }
      if label == 0 { restHops += 1 }
      if isPaused, label == 1 { pausedMovingHops += 1 }
      if isPaused, label == 0 { pausedStillHops += 1 }
    }
    for index in verdicts.indices.dropFirst() where verdicts[index] != verdicts[index - 1] {
      if verdicts[index] {
        if labels[index] == 1 { falsePauseCount += 1 }
      } else if labels[max(0, index - 2)..<min(index + 12, labels.count)].allSatisfy({ $0 == 0 }) {
        falseResumeCount += 1
      }
    }
    for stop in still { add(stop, before: moving, verdicts) }
    for run in moving where run.lowerBound + 8 < run.upperBound {
      let scored = verdicts[(run.lowerBound + 8)..<run.upperBound]
      scoredMoving.hops += scored.count
      scoredMoving.wrong += scored.filter { $0 }.count
    }
    for run in still where run.lowerBound + 12 < run.upperBound {
      let scored = verdicts[(run.lowerBound + 12)..<run.upperBound]
      scoredStill.hops += scored.count
      scoredStill.wrong += scored.filter { !$0 }.count
    }
  }

  /// Adds a stop: whether it was paused, the delay of the pause, and the delay of the pause's end.
  private mutating func add(_ stop: Range<Int>, before moving: [Range<Int>], _ verdicts: [Bool]) {
    if stop.count - 1 >= dwellHops + 40 {
      stopCount += 1
      if let paused = stop.first(where: { verdicts[$0] }) {
        pausedStopCount += 1
        excesses.append(max(0, Double(paused - stop.lowerBound - dwellHops) / 4))
      }
    }
    let end = stop.upperBound
    let isFollowed = moving.contains { run in
      (0...12).contains(run.lowerBound - (end - 1)) && run.count - 1 >= 12
    }
    guard end >= 3, verdicts[end - 3], isFollowed else { return }
    let resumed = (end - 3..<min(end + 120, verdicts.count)).first { !verdicts[$0] }
    resumes.append(resumed.map { max(0, Double($0 - (end - 1)) / 4) } ?? 30)
  }

  /// Still while moving and moving while still, in percent: the bare verdict.
  public var bare: String {
    "\(percent(scoredMoving)) / \(percent(scoredStill))"
  }

  private func percent(_ share: (hops: Int, wrong: Int)) -> String {
    share.hops == 0
      ? "-" : MotionText.decimal(Double(share.wrong) / Double(share.hops) * 100, places: 2)
  }

  /// False pauses and moving hours, share of motion paused, stops, excess, false resumes, resume delays.
  public var pauses: [String] {
    let hours = Double(movingHops) / 14_400
    return [
      MotionText.decimal(hours, places: 2), "\(falsePauseCount)",
      movingHops == 0
        ? "-" : MotionText.decimal(Double(pausedMovingHops * 100) / Double(movingHops), places: 3),
      "\(pausedStopCount)/\(stopCount)", MotionFigures.middle(excesses),
      falseResumesPerHour.map { MotionText.decimal($0, places: 1) } ?? "-",
      "\(resumes.count)", MotionFigures.middle(resumes),
    ]
  }

  /// False resumes per paused hour of rest; nil when less than 30 s of rest were paused.
  public var falseResumesPerHour: Double? {
    pausedStillHops > 120
      ? Double(falseResumeCount) / (Double(pausedStillHops) / 14_400) : nil
  }

  /// The number of starts during a pause.
  public var startCount: Int { resumes.count }

  /// The percentile of the seconds from a start to the end of the pause; nil without starts.
  public func resumeSeconds(percentile share: Double) -> Double? {
    MotionFigures.percentile(share, of: resumes)
  }

  /// The percentile of the seconds from the end of the dwell to the pause; nil without stops.
  func excessSeconds(percentile share: Double) -> Double? {
    MotionFigures.percentile(share, of: excesses)
  }

  /// Like `pauses`, with hours of rest, and with the count of false resumes instead of their rate.
  public var journey: [String] {
    var fields = pauses
    fields[5] = "\(falseResumeCount)"
    fields.insert(MotionText.decimal(Double(restHops) / 14_400, places: 2), at: 5)
    return fields
  }

  /// The median and the 95th percentile.
  private static func middle(_ numbers: [Double]) -> String {
    [50.0, 95].map { share in
      percentile(share, of: numbers).map { MotionText.decimal($0, places: 2) } ?? "-"
    }.joined(separator: " / ")
  }

  /// Interpolates linearly between the two nearest ranks.
  private static func percentile(_ share: Double, of numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted()
    let rank = share / 100 * Double(sorted.count - 1)
    let low = Int(rank)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (rank - Double(low))
  }

  private static func runs(of label: Int, in labels: [Int]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    for index in 0...labels.count {
      let isInside = index < labels.count && labels[index] == label
      if isInside, start == nil { start = index }
      if !isInside, let begin = start {
        found.append(begin..<index)
        start = nil
      }
    }
    return found
  }
}
