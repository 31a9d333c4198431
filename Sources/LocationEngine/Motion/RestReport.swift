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
      report.add(.motionDeadAxes, deadAxes.map(\.rawValue).joined(separator: " "))
    }
    for (number, rest) in sorted.enumerated() {
      rest.add(to: &report, as: "rest.\(number + 1)", isUnwatched, at: now)
    }
  }

  /// The filled part of a sequence's dwell: since when, and how much; nil while the board moves.
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
    report.add(.restIsStationary("motion"), verdict.isStationary)
    report.add(.restSince("motion"), (now - verdict.since).seconds)
    report.add(.restReason("motion"), verdict.reason.rawValue)
    addEvidence(to: &report, as: "motion", isUnwatched)
  }

  fileprivate func add(
    to report: inout Report, as name: String, _ isUnwatched: Bool, at now: Instant
  ) {
    let verdict = machine.verdict
    report.add(.restIsStationary(name), verdict.isStationary)
    report.add(.restSince(name), (now - verdict.since).seconds)
    report.add(.restReason(name), verdict.reason.rawValue)
    addEvidence(to: &report, as: name, isUnwatched)
    if let accuracy = verdict.evidence.speedAccuracy {
      report.add(.restSpeedAccuracy(name), accuracy)
    }
    report.add(.restDisplacementLimit(name), verdict.evidence.displacementLimitMeters)
    if isOlder { report.add(.restGoesOn(name), true) }
    if let ending {
      report.add(.restEndedBy(name), ending.reason.rawValue)
      report.add(.restEndedAgo(name), (now - ending.at).seconds)
    }
  }

  /// The values behind the verdict.
  ///
  /// - Parameter isUnwatched: whether the accelerometer was lost after its last reading, so that only the receiver ends
  ///   this rest.
  /// - Returns: the values of the newest hop, with the loss.
  func evidence(_ isUnwatched: Bool) -> MotionEvidence {
    var evidence = machine.verdict.evidence
    switch evidence.accelerometer {
    case .measured where isUnwatched, .watching where isUnwatched:
      evidence.accelerometer = .unusable(.silent)
      evidence.sources = .receiver
    case .measured, .watching, .unusable: break
    }
    return evidence
  }

  private func addEvidence(to report: inout Report, as name: String, _ isUnwatched: Bool) {
    let evidence = evidence(isUnwatched)
    report.add(.restSources(name), evidence.sources.rawValue)
    report.add(.restDwell(name), evidence.dwellSeconds)
    report.add(.restCredit(name), evidence.creditSeconds)
    switch evidence.accelerometer {
    case .measured(let sway):
      report.add(.restSway(name), sway.steadyMilliG)
      report.add(.restThreshold(name), sway.limitMilliG)
      report.add(.restFloor(name), sway.floorMilliG)
    case .watching: report.add(.restAccelerometer(name), "watching")
    case .unusable(let trouble): report.add(.restAccelerometer(name), trouble.rawValue)
    }
    if let speed = evidence.speed { report.add(.restSpeed(name), speed) }
    report.add(.restDisplacement(name), evidence.displacementMeters)
  }
}
