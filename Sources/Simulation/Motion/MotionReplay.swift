public import Basics
public import Motion

/// Plays a recording of motion to judges that share one pair of eyes: samples are looked at once, however many
/// settings are asked.
public struct MotionReplay: Sendable {
  /// How a judge is set up, and what it is let see.
  public struct Setting: Equatable, Sendable {
    public var profile: MotionProfile
    public var dwell: Interval
    public var witnesses: Witnesses

    /// What a judge is let see.
    public enum Witnesses: String, Equatable, CaseIterable, Sendable {
      case both
      case accelerometer
      case receiver
    }

    public init(
      profile: MotionProfile = .standard, dwell: Interval, witnesses: Witnesses = .both
    ) {
      self.profile = profile
      self.dwell = dwell
      self.witnesses = witnesses
    }
  }

  private struct Judge: Sendable {
    var setting: Setting
    var machine: RestMachine
    var receiver = NappingReceiver()
  }

  private let settings: [Setting]
  private var judges: [Judge] = []
  private var window = MotionWindow()
  private var newest: Instant?

  public init(settings: [Setting]) {
    self.settings = settings
  }

  /// The samples that were no numbers or absurd.
  public var damagedSampleCount: Int { window.damagedSampleCount }
  /// The speeds that could not be true.
  public var damagedSpeedCount: Int { window.damagedSolutionCount }

  /// Takes a row; tells each verdict that has changed, and at the first row each first one.
  public mutating func take(_ row: MotionRow, _ tell: (Int, MotionVerdict) -> Void) {
    if judges.isEmpty {
      judges = settings.map {
        Judge(
          setting: $0,
          machine: RestMachine(profile: $0.profile, dwell: $0.dwell, at: row.instant))
      }
      for (index, judge) in judges.enumerated() { tell(index, judge.machine.verdict) }
    }
    judge(before: row.instant, tell)
    newest = row.instant
    if let sample = row.acceleration {
      window.accelerationMeasured(x: sample.x, y: sample.y, z: sample.z, at: row.instant)
    }
    if let speed = row.speed {
      window.solutionMeasured(SolutionReading(speed: speed), at: row.instant)
    }
  }

  /// Judges what has ended with the last row.
  public mutating func finish(_ tell: (Int, MotionVerdict) -> Void) {
    guard let newest else { return }
    judge(before: newest + Interval(nanoseconds: 1), tell)
  }

  private mutating func judge(before now: Instant, _ tell: (Int, MotionVerdict) -> Void) {
    while let reading = window.nextReading(before: now) {
      for index in judges.indices {
        var seen = reading
        switch judges[index].setting.witnesses {
        case .both: seen = judges[index].receiver.pass(reading, to: judges[index].machine)
        case .accelerometer: (seen.solution, seen.solutionInstant) = (nil, nil)
        case .receiver: seen.accelerometer = .unusable(.absent)
        }
        if judges[index].machine.hopEnded(seen) { tell(index, judges[index].machine.verdict) }
      }
    }
  }
}
