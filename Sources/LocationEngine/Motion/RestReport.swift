import BinnacleBasics
import BinnacleModel
import Motion

/// The part of the report about rest: the verdicts and the numbers behind them.
extension RestWatch {
  func add(to report: inout Report, at now: Instant) {
    let sorted = rests.sorted { $0.dwell < $1.dwell }
    guard let shortest = sorted.first else { return }
    shortest.addShort(to: &report, isUnwatched, at: now)
    if !deadAxes.isEmpty {
      report.add("motion.dead_axes", .text(deadAxes.map(\.rawValue).joined(separator: " ")))
    }
    for (number, rest) in sorted.enumerated() {
      rest.add(to: &report, as: "rest.\(number + 1)", isUnwatched, at: now)
    }
  }

  /// A sequence that does not pause: since when a part of its dwell is filled, and how much; nil while the board moves.
  func filling(dwell: Interval) -> (since: Instant, seconds: Double)? {
    guard let rest = rests.first(where: { $0.dwell == dwell }), let since = rest.fillsSince else {
      return nil
    }
    return (since, rest.machine.verdict.evidence.creditSeconds)
  }
}

extension RestWatch.Rest {
  fileprivate func addShort(
    to report: inout Report, _ isUnwatched: Bool, at now: Instant
  ) {
    let verdict = machine.verdict
    report.add("motion.is_stationary", .flag(verdict.isStationary))
    report.add("motion.since_s", .number((now - verdict.since).seconds))
    report.add("motion.by", .text(verdict.reason.rawValue))
    addEvidence(to: &report, as: "motion", isUnwatched)
  }

  fileprivate func add(
    to report: inout Report, as name: String, _ isUnwatched: Bool, at now: Instant
  ) {
    let verdict = machine.verdict
    report.add(name + ".is_stationary", .flag(verdict.isStationary))
    report.add(name + ".since_s", .number((now - verdict.since).seconds))
    report.add(name + ".by", .text(verdict.reason.rawValue))
    addEvidence(to: &report, as: name, isUnwatched)
    if let accuracy = verdict.evidence.speedAccuracy {
      report.add(name + ".speed_accuracy_mps", .number(accuracy))
    }
    report.add(
      name + ".displacement_limit_m", .number(verdict.evidence.displacementLimitMeters))
    if isOlder { report.add(name + ".goes_on", .flag(true)) }
    if let ending {
      report.add(name + ".ended_by", .text(ending.reason.rawValue))
      report.add(name + ".ended_ago_s", .number((now - ending.at).seconds))
    }
  }

  /// - Parameters:
  ///   - report: gets the numbers.
  ///   - name: stands before their names.
  ///   - isUnwatched: whether the accelerometer was lost since it told something: the receiver alone ends this rest.
  private func addEvidence(to report: inout Report, as name: String, _ isUnwatched: Bool) {
    var evidence = machine.verdict.evidence
    switch evidence.accelerometer {
    case .measured where isUnwatched, .watching where isUnwatched:
      evidence.accelerometer = .unusable(.silent)
      evidence.sources = .receiver
    case .measured, .watching, .unusable: break
    }
    report.add(name + ".sources", .text(evidence.sources.rawValue))
    report.add(name + ".dwell_s", .number(evidence.dwellSeconds))
    report.add(name + ".credit_s", .number(evidence.creditSeconds))
    switch evidence.accelerometer {
    case .measured(let sway):
      report.add(name + ".sway_mg", .number(sway.steadyMilliG))
      report.add(name + ".threshold_mg", .number(sway.limitMilliG))
      report.add(name + ".floor_mg", .number(sway.floorMilliG))
    case .watching: report.add(name + ".accelerometer", .text("watching"))
    case .unusable(let trouble): report.add(name + ".accelerometer", .text(trouble.rawValue))
    }
    if let speed = evidence.speed { report.add(name + ".speed_mps", .number(speed)) }
    report.add(name + ".displacement_m", .number(evidence.displacementMeters))
  }
}
