import BinnacleBasics

/// The table of the detector's quality on recordings with a known truth.
public struct MotionScore: Sendable {
  /// The detector of a row.
  struct Detector: Sendable {
    var name: String
    var profile: String
    var setting: MotionReplay.Setting
    var dwellSeconds: Int
  }

  private static let detectors: [Detector] = {
    var detectors: [Detector] = []
    for dwell in [0, 5, 60, 120] {
      for witnesses in MotionReplay.Setting.Witnesses.allCases {
        detectors.append(
          Detector(
            name: witnesses.rawValue, profile: "default",
            setting: MotionReplay.Setting(dwell: .seconds(Int64(dwell)), witnesses: witnesses),
            dwellSeconds: dwell))
        if witnesses == .receiver { continue }
        detectors.append(
          Detector(
            name: witnesses.rawValue, profile: "quiet",
            setting: MotionReplay.Setting(
              profile: .quiet, dwell: .seconds(Int64(dwell)), witnesses: witnesses),
            dwellSeconds: dwell))
      }
    }
    return detectors
  }()

  /// The settings of the detector for each recording.
  public static var settings: [MotionReplay.Setting] { detectors.map(\.setting) }

  private(set) var outcomes: [ScoreTrial.Outcome] = []

  public init() {}

  /// Adds a recording; its set is the part of its name before two underscores.
  public mutating func add(_ outcome: ScoreTrial.Outcome) {
    outcomes.append(outcome)
    outcomes.sort { $0.recorded.name < $1.recorded.name }
  }

  struct Group {
    var name: String
    var outcomes: [ScoreTrial.Outcome]
  }

  /// Each set, and its halves where both exist: "tune" serves to choose rules, "judge" to confirm them.
  var groups: [Group] {
    var groups: [Group] = []
    for outcome in outcomes {
      let set = outcome.recorded.set
      if groups.last?.name != set { groups.append(Group(name: set, outcomes: [])) }
      groups[groups.count - 1].outcomes.append(outcome)
    }
    return groups.flatMap { group -> [Group] in
      let halves = [("tune", true), ("judge", false)].map { name, isTuned in
        Group(
          name: "\(group.name) \(name)",
          outcomes: group.outcomes.filter { $0.recorded.isForTuning == isTuned })
      }
      return halves.contains { $0.outcomes.isEmpty } ? [group] : [group] + halves
    }
  }

  /// The whole table.
  public var text: String {
    var lines = ["Bare verdict (dwell 0): still while moving % / moving while still %", ""]
    lines += bareTable
    for dwell in [5, 60, 120] {
      lines += ["", "Dwell \(dwell) s", ""] + pauseTable(dwell)
    }
    lines += variantTables
    lines += ["", "Slower chips, bare verdict: still while moving % / moving while still %", ""]
    lines += chipTable
    return lines.joined(separator: "\n") + "\n"
  }

  private var bareTable: [String] {
    let indices = MotionScore.detectors.indices.filter {
      MotionScore.detectors[$0].dwellSeconds == 0
    }
    let titles = indices.map { index -> String in
      let detector = MotionScore.detectors[index]
      return detector.profile == "default" ? detector.name : "\(detector.name) \(detector.profile)"
    }
    var rows = [["set"] + titles]
    for group in groups {
      rows.append([group.name] + indices.map { figures(group, $0).bare })
    }
    return MotionText.table(rows)
  }

  static let pauseTitles = [
    "set", "witnesses", "profile", "moving h", "false pauses", "paused moving %", "stops",
    "excess s 50/95", "false resumes/h", "starts", "resume s 50/95",
  ]

  private func pauseTable(_ dwell: Int) -> [String] {
    var rows = [MotionScore.pauseTitles]
    for group in groups {
      for (index, detector) in MotionScore.detectors.enumerated()
      where detector.dwellSeconds == dwell {
        let hasSpeed = MotionScore.setsWithSpeed.contains { group.name.hasPrefix($0) }
        // Without speeds there is nothing to compare: both inputs equal the accelerometer alone.
        if !hasSpeed, detector.name != "accelerometer" { continue }
        rows.append([group.name, detector.name, detector.profile] + figures(group, index).pauses)
      }
    }
    return MotionText.table(rows)
  }

  /// The sets that have speeds by GNSS.
  static let setsWithSpeed = ["freematics", "balzer"]

  private func figures(_ group: Group, _ detector: Int) -> MotionFigures {
    var figures = MotionFigures(dwellSeconds: MotionScore.detectors[detector].dwellSeconds)
    for outcome in group.outcomes {
      figures.add(
        labels: outcome.recorded.labels, verdicts: outcome.recorded.verdicts[detector])
    }
    return figures
  }
}
