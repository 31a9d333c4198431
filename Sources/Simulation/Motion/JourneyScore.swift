import BinnacleBasics
import Motion

/// The table of the detector's results on simulated journeys.
public enum JourneyScore {
  /// A journey and the duration of its simulation.
  public struct Case: Equatable, Sendable {
    public var path: Body.Path
    public var seeds: ClosedRange<UInt64>
    public var minutes: Int

    public init(path: Body.Path, seeds: ClosedRange<UInt64>, minutes: Int) {
      self.path = path
      self.seeds = seeds
      self.minutes = minutes
    }
  }

  /// The journeys that take seconds to compute.
  public static let short: [Case] = [
    Case(path: .desk, seeds: 1...1, minutes: 20), Case(path: .elevator, seeds: 1...2, minutes: 11),
    Case(path: .ferry, seeds: 1...1, minutes: 24), Case(path: .idling, seeds: 1...3, minutes: 5),
    Case(path: .journey, seeds: 1...1, minutes: 9), Case(path: .mast, seeds: 1...1, minutes: 20),
    Case(path: .street, seeds: 1...1, minutes: 20), Case(path: .theft, seeds: 1...2, minutes: 24),
    Case(path: .walk, seeds: 1...1, minutes: 10),
  ]

  /// Days at places where nothing moves the board.
  public static let days: [Case] = [
    Case(path: .desk, seeds: 1...2, minutes: 24 * 60),
    Case(path: .street, seeds: 1...2, minutes: 24 * 60),
    Case(path: .idling, seeds: 1...1, minutes: 8 * 60),
    Case(path: .mast, seeds: 1...1, minutes: 24 * 60),
  ]

  private static let dwellSeconds = 60

  private struct Detector {
    var name: String
    var profile: String
    var setting: MotionReplay.Setting
  }

  private static let detectors: [Detector] = {
    var detectors: [Detector] = []
    for witnesses in [MotionReplay.Setting.Witnesses.both, .accelerometer] {
      for (name, profile) in [("default", MotionProfile.standard), ("quiet", .quiet)] {
        detectors.append(
          Detector(
            name: witnesses.rawValue, profile: name,
            setting: MotionReplay.Setting(
              profile: profile, dwell: .seconds(Int64(dwellSeconds)), witnesses: witnesses)))
      }
    }
    return detectors
  }()

  /// The settings of the detector for each journey, in the order of the table.
  static var settings: [MotionReplay.Setting] { detectors.map(\.setting) }

  /// The result of one journey with one seed.
  static func outcome(_ path: Body.Path, seed: UInt64, minutes: Int) -> MotionTrial.Outcome {
    var rows = JourneyRows(path, seed: seed)
    var trial = MotionTrial(name: path.rawValue, settings: settings)
    let end = Instant.zero + .seconds(Int64(minutes) * 60)
    var row = rows.next()
    while row.instant < end {
      trial.take(row)
      row = rows.next()
    }
    return trial.finish()
  }

  /// The part of the table for these journeys.
  public static func text(_ cases: [Case], title: String) -> String {
    var rows = [
      [
        "journey", "witnesses", "profile", "moving h", "false pauses", "paused moving %",
        "stops", "excess s 50/95", "rest h", "false resumes", "starts", "resume s 50/95",
      ]
    ]
    for one in cases {
      let outcomes = one.seeds.map { outcome(one.path, seed: $0, minutes: one.minutes) }
      for (index, detector) in detectors.enumerated() {
        var figures = MotionFigures(dwellSeconds: dwellSeconds)
        for outcome in outcomes {
          figures.add(labels: outcome.labels, verdicts: outcome.verdicts[index])
        }
        rows.append([one.path.rawValue, detector.name, detector.profile] + figures.journey)
      }
    }
    return ([title, ""] + MotionText.table(rows)).joined(separator: "\n") + "\n"
  }

  /// The output of `make score` after the recordings, without the days.
  public static var shortText: String {
    text(short, title: "Simulated journeys (dwell 60 s)")
  }

  /// The table of the days.
  public static var dayText: String { text(days, title: "Simulated days (dwell 60 s)") }
}
