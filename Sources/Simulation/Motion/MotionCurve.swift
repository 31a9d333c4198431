import BinnacleBasics
import Motion

/// The delay until a rest ends when the board moves, and the rate of false ends, for a series of profiles.
///
/// A profile that improves one of the two figures makes the second worse.
public struct MotionCurve: Sendable {
  private struct Point: Sendable {
    var hops: Int
    var witnesses: MotionReplay.Setting.Witnesses
    var dwellSeconds: Int

    var setting: MotionReplay.Setting {
      MotionReplay.Setting(
        profile: MotionProfile(activeHops: hops, contradictedHops: 4 * hops),
        dwell: .seconds(Int64(dwellSeconds)), witnesses: witnesses)
    }
  }

  /// From a quarter of a second of shaking to two seconds; the shipped profiles are those with 2 and with 6 hops.
  private static let points: [Point] = {
    var points: [Point] = []
    for dwell in [5, 60] {
      for witnesses in [MotionReplay.Setting.Witnesses.both, .accelerometer] {
        for hops in 1...8 {
          points.append(Point(hops: hops, witnesses: witnesses, dwellSeconds: dwell))
        }
      }
    }
    return points
  }()

  /// The settings of the detector for each recording.
  public static var settings: [MotionReplay.Setting] { points.map(\.setting) }

  private struct SetFigures: Sendable {
    var name: String
    var figures: [MotionFigures]
  }

  private var sets: [SetFigures] = []

  public init() {}

  /// Adds a recording; its set is the part of its name before two underscores.
  public mutating func add(_ outcome: MotionTrial.Outcome) {
    let index = sets.firstIndex { $0.name == outcome.set } ?? sets.count
    if index == sets.count {
      sets.append(
        SetFigures(
          name: outcome.set,
          figures: MotionCurve.points.map { MotionFigures(dwellSeconds: $0.dwellSeconds) }))
    }
    for (point, verdicts) in outcome.verdicts.enumerated() {
      sets[index].figures[point].add(labels: outcome.labels, verdicts: verdicts)
    }
  }

  /// Lines of CSV with a header: one line for each set and profile.
  ///
  /// A field is empty where a set has no starts, or hardly any rest.
  public var text: String {
    var lines = [
      "set,dwell_s,witnesses,active_hops,false_resumes_per_h,starts,resume_50_s,resume_95_s"
    ]
    for set in sets {
      for (point, figures) in zip(MotionCurve.points, set.figures) {
        let numbers: [Double?] = [
          figures.falseResumesPerHour, Double(figures.startCount),
          figures.resumeSeconds(percentile: 50), figures.resumeSeconds(percentile: 95),
        ]
        let words = [
          set.name, "\(point.dwellSeconds)", point.witnesses.rawValue, "\(point.hops)",
        ]
        let fields = words + numbers.map { $0.map { MotionText.decimal($0, places: 2) } ?? "" }
        lines.append(fields.joined(separator: ","))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
