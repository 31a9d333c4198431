import BinnacleBasics
import Motion

/// The evidence for a rest as a sentence, for `binnacle why APP`.
extension RestWatch {
  /// The filled part of a dwell and its evidence; nil for a dwell that no sequence needs.
  func evidenceInWords(dwell: Interval) -> String? {
    guard let rest = rests.first(where: { $0.dwell == dwell }) else { return nil }
    let evidence = rest.evidence(isUnwatched)
    let dwellText = "the dwell of \(DecimalText.fixed(evidence.dwellSeconds, places: 0)) s"
    let credit = DecimalText.fixed(evidence.creditSeconds, places: 0)
    let filled =
      if rest.machine.verdict.isStationary {
        "All of \(dwellText) is filled"
      } else if credit == "0" {
        "Nothing of \(dwellText) is filled"
      } else {
        "\(credit) s of \(dwellText) are filled"
      }
    return "\(filled): \(evidence.inWords)."
  }
}

extension MotionEvidence {
  /// The values as the part of a sentence: the accelerometer, the receiver, and the place if it is known.
  fileprivate var inWords: String {
    guard displacementLimitMeters > 0 else {
      return "\(accelerometer.inWords), and \(speedInWords)"
    }
    let away = DecimalText.fixed(displacementMeters, places: 1)
    let limit = DecimalText.fixed(displacementLimitMeters, places: 1)
    return "\(accelerometer.inWords), \(speedInWords), "
      + "and the place is \(away) m from the beginning of the dwell (limit \(limit) m)"
  }

  private var speedInWords: String {
    guard let speed else { return "the receiver reports no speed that counts" }
    return "the receiver reports \(DecimalText.fixed(speed, places: 2)) m/s"
  }
}

extension AccelerometerReading {
  fileprivate var inWords: String {
    switch self {
    case .measured(let sway):
      let (milliG, limit) = (sway.steadyMilliG, sway.limitMilliG)
      return "the accelerometer sways by \(DecimalText.fixed(milliG, places: 1)) mg "
        + "(limit \(DecimalText.fixed(limit, places: 1)) mg)"
    case .watching: return "the accelerometer reports no movement"
    case .unusable(.absent): return "there is no accelerometer"
    case .unusable(let trouble):
      return "the accelerometer gives no evidence (\(trouble.rawValue))"
    }
  }
}
