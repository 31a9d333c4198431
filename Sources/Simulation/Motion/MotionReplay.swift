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

  /// What a judge says after a hop.
  public struct Hop: Equatable, Sendable {
    /// Which of the settings, by its place in the list.
    public var judge: Int
    /// When the hop ended.
    public var end: Instant
    /// The sway, speed and credit of this hop are in its evidence.
    public var verdict: MotionVerdict
    /// Whether the verdict is another one than before, or the first.
    public var isChange: Bool
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

  /// Takes a row; tells what each judge says after each hop that has ended, and at the first row its first verdict.
  public mutating func take(_ row: MotionRow, _ tell: (Hop) -> Void) {
    if judges.isEmpty {
      judges = settings.map {
        Judge(
          setting: $0,
          machine: RestMachine(profile: $0.profile, dwell: $0.dwell, at: row.instant))
      }
      for (index, judge) in judges.enumerated() {
        tell(
          Hop(judge: index, end: row.instant, verdict: judge.machine.verdict, isChange: true))
      }
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
  public mutating func finish(_ tell: (Hop) -> Void) {
    guard let newest else { return }
    judge(before: newest + Interval(nanoseconds: 1), tell)
  }

  private mutating func judge(before now: Instant, _ tell: (Hop) -> Void) {
    while let reading = window.nextReading(before: now) {
      for index in judges.indices {
        var seen = reading
        switch judges[index].setting.witnesses {
        case .both: seen = judges[index].receiver.pass(reading, to: judges[index].machine)
        case .accelerometer: (seen.solution, seen.solutionInstant) = (nil, nil)
        case .receiver: seen.accelerometer = .unusable(.absent)
        }
        let isChange = judges[index].machine.hopEnded(seen)
        tell(
          Hop(
            judge: index, end: reading.end, verdict: judges[index].machine.verdict,
            isChange: isChange))
      }
    }
  }
}
