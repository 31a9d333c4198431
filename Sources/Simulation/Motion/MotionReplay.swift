public import BinnacleBasics
public import Motion

/// Plays a recording of motion to several detectors.
///
/// A detector gets no speeds while its receiver sleeps, and none when its setting has no receiver.
public struct MotionReplay: Sendable {
  /// The settings of a detector, and its inputs.
  public struct Setting: Equatable, Sendable {
    public var profile: MotionProfile
    public var dwell: Interval
    public var witnesses: Witnesses

    /// The inputs of a detector.
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

  /// The verdict of a detector after a hop.
  public struct Hop: Equatable, Sendable {
    /// The index of the detector's setting in the list.
    public var detector: Int
    /// The end of the hop.
    public var end: Instant
    /// The verdict; its evidence contains the sway, speed and credit of this hop.
    public var verdict: MotionVerdict
    /// Whether the verdict differs from the one before, or is the first verdict.
    public var isChange: Bool
  }

  private struct Detector: Sendable {
    var setting: Setting
    var machine: RestMachine
    var receiver = SleepingReceiver()

    mutating func hearsSpeed(at now: Instant) -> Bool {
      switch setting.witnesses {
      case .accelerometer: false
      // Without an accelerometer, the receiver does not sleep.
      case .receiver: true
      case .both: receiver.isAwake(at: now, machine)
      }
    }
  }

  /// Detectors that have got the same input since the start.
  ///
  /// One window serves all of these detectors, until a receiver sleeps for only some of them.
  private struct Audience: Sendable {
    var window = MotionWindow()
    var detectors: [Int]
    let feelsSamples: Bool
  }

  private let settings: [Setting]
  private var detectors: [Detector] = []
  private var audiences: [Audience] = []
  private var newest: Instant?

  public init(settings: [Setting]) {
    self.settings = settings
  }

  /// The number of samples that were no numbers or out of range.
  public var damagedSampleCount: Int { audiences.map(\.window.damagedSampleCount).max() ?? 0 }
  /// The number of impossible speeds.
  public var damagedSpeedCount: Int { audiences.map(\.window.damagedSolutionCount).max() ?? 0 }
  /// The axes that repeat one value while the board moves.
  public var deadAxes: [AccelerometerAxis] {
    audiences.first { $0.feelsSamples }?.window.deadAxes ?? []
  }

  /// Takes a row; reports each detector's verdict after each completed hop, and its first verdict at the first row.
  public mutating func take(_ row: MotionRow, _ deliver: (Hop) -> Void) {
    if detectors.isEmpty {
      detectors = settings.map {
        Detector(
          setting: $0,
          machine: RestMachine(profile: $0.profile, dwell: $0.dwell, at: row.instant))
      }
      audiences = [true, false].compactMap { feelsSamples in
        let members = settings.indices.filter {
          (settings[$0].witnesses != .receiver) == feelsSamples
        }
        return members.isEmpty ? nil : Audience(detectors: members, feelsSamples: feelsSamples)
      }
      for (index, detector) in detectors.enumerated() {
        deliver(
          Hop(detector: index, end: row.instant, verdict: detector.machine.verdict, isChange: true))
      }
    }
    judge(before: row.instant, deliver)
    newest = row.instant
    if let sample = row.acceleration {
      for index in audiences.indices where audiences[index].feelsSamples {
        audiences[index].window.accelerationMeasured(
          x: sample.x, y: sample.y, z: sample.z, at: row.instant)
      }
    }
    if let speed = row.speed { applySpeed(speed, at: row.instant) }
  }

  /// Evaluates the hops that end with the last row.
  public mutating func finish(_ deliver: (Hop) -> Void) {
    guard let newest else { return }
    judge(before: newest + Interval(nanoseconds: 1), deliver)
  }

  /// Delivers a speed to the detectors whose receiver is awake; a group with different states is split.
  private mutating func applySpeed(_ speed: Double, at now: Instant) {
    for index in audiences.indices {
      var listeners = audiences[index]
      listeners.detectors = listeners.detectors.filter { detectors[$0].hearsSpeed(at: now) }
      if listeners.detectors.isEmpty { continue }
      listeners.window.solutionMeasured(SolutionReading(speed: speed), at: now)
      if listeners.detectors.count == audiences[index].detectors.count {
        audiences[index] = listeners
      } else {
        audiences[index].detectors.removeAll { listeners.detectors.contains($0) }
        audiences.append(listeners)
      }
    }
  }

  private mutating func judge(before now: Instant, _ deliver: (Hop) -> Void) {
    for index in audiences.indices {
      while let reading = audiences[index].window.nextReading(before: now) {
        for detector in audiences[index].detectors {
          let isChange = detectors[detector].machine.hopEnded(reading)
          deliver(
            Hop(
              detector: detector, end: reading.end, verdict: detectors[detector].machine.verdict,
              isChange: isChange))
        }
      }
    }
  }
}
