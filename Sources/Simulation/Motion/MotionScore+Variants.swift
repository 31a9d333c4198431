import Motion

/// The parts of the table that play recordings as other receivers and other chips would have made them.
extension MotionScore {
  /// The sets of boards that do not move.
  static let setsAtDesks = ["mpu6050", "synth_desk"]
  /// The sets of a car that creeps and idles.
  static let setsThatCreep = ["wid_dot", "wid_mru"]

  /// The receivers other than that of the recording.
  static let variants = SolutionVariant.allCases.filter { $0 != .asRecorded }

  /// Chips at 10 to 50 samples a second, without a low-pass and with corners up to 25 Hz.
  ///
  /// The second half repeats these chips with the coarse steps of the logger in the recorded trips.
  static let chips: [ChipVariant] = [nil, 10.0].flatMap { step in
    [50.0, 25, 14, 12.5, 10].flatMap { hertz in
      [nil, 25, 10, 5].map { ChipVariant(hertz: hertz, lowPassHertz: $0, stepMilliG: step) }
    }
  }

  /// The accelerometer alone: its bare verdict, and whether a dwell of 20 s passes while the board moves.
  static let chipSettings = [Int64(0), chipDwellSeconds].map {
    MotionReplay.Setting(dwell: .seconds($0), witnesses: .accelerometer)
  }
  private static let chipDwellSeconds: Int64 = 20

  private static let variantDetectors: [Detector] = [5, 60].flatMap { dwell in
    [("default", MotionProfile.standard), ("quiet", .quiet)].map { title, profile in
      Detector(
        name: MotionReplay.Setting.Witnesses.both.rawValue, profile: title,
        setting: MotionReplay.Setting(profile: profile, dwell: .seconds(Int64(dwell))),
        dwellSeconds: dwell)
    }
  }

  /// The settings of the detector for each of these variants.
  static var variantSettings: [MotionReplay.Setting] { variantDetectors.map(\.setting) }

  var variantTables: [String] {
    MotionScore.variants.flatMap { variant -> [String] in
      var rows = [["dwell"] + MotionScore.pauseTitles]
      for (detector, one) in MotionScore.variantDetectors.enumerated() {
        for group in groups {
          let outcomes = group.outcomes.compactMap { $0.solutions[variant] }
          if outcomes.isEmpty { continue }
          var figures = MotionFigures(dwellSeconds: one.dwellSeconds)
          for outcome in outcomes {
            figures.add(labels: outcome.labels, verdicts: outcome.verdicts[detector])
          }
          rows.append(
            ["\(one.dwellSeconds)", group.name, one.name, one.profile] + figures.pauses)
        }
      }
      return ["", "Solutions: \(variant.rawValue)", ""] + MotionText.table(rows)
    }
  }

  var chipTable: [String] {
    let found = groups.filter { group in
      group.outcomes.allSatisfy { $0.chips.count == MotionScore.chips.count }
    }
    var rows = [["step mg", "Hz", "low-pass Hz"] + found.map(\.name) + ["false pauses at 20 s"]]
    for (index, chip) in MotionScore.chips.enumerated() {
      let cells = found.map { group in
        chipFigures(group.outcomes.map { $0.chips[index] }, detector: 0, dwellSeconds: 0).bare
      }
      let all = chipFigures(
        outcomes.compactMap { $0.chips.isEmpty ? nil : $0.chips[index] }, detector: 1,
        dwellSeconds: Int(MotionScore.chipDwellSeconds))
      let step = chip.stepMilliG.map { MotionText.decimal($0, places: 0) } ?? "fine"
      let lowPass = chip.lowPassHertz.map { MotionText.decimal($0, places: 0) } ?? "none"
      rows.append(
        [step, MotionText.decimal(chip.hertz, places: 1), lowPass] + cells
          + ["\(all.falsePauseCount)"])
    }
    return MotionText.table(rows)
  }

  private func chipFigures(
    _ outcomes: [MotionTrial.Outcome], detector: Int, dwellSeconds: Int
  ) -> MotionFigures {
    var figures = MotionFigures(dwellSeconds: dwellSeconds)
    for outcome in outcomes {
      figures.add(labels: outcome.labels, verdicts: outcome.verdicts[detector])
    }
    return figures
  }
}
