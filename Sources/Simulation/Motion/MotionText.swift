public import BinnacleBasics
public import Motion

/// Verdicts on motion as text, equal on every machine.
public enum MotionText {
  /// An instant in seconds with four decimals.
  public static func seconds(_ instant: Instant) -> String {
    decimal(instant.seconds, places: 4)
  }

  /// A number with so many decimals, rounded to the nearest.
  public static func decimal(_ number: Double, places: Int) -> String {
    guard number.isFinite, number.magnitude < 1e12 else { return "-" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int64((number.magnitude * scale).rounded())
    let unit = Int64(scale)
    let fraction = String(whole % unit)
    let sign = number < 0 && whole != 0 ? "-" : ""
    if places == 0 { return "\(sign)\(whole)" }
    let zeros = String(repeating: "0", count: max(places - fraction.count, 0))
    return "\(sign)\(whole / unit).\(zeros)\(fraction)"
  }

  /// A hop as a line of CSV.
  ///
  /// The fields are seconds, stationary (0 or 1), sway, steady sway and threshold in mg, speed in m/s, credit in
  /// seconds. A field is empty where its input has no value.
  public static func hop(_ hop: MotionReplay.Hop) -> String {
    let evidence = hop.verdict.evidence
    var fields = [seconds(hop.end), hop.verdict.isStationary ? "1" : "0"]
    switch evidence.accelerometer {
    case .measured(let sway):
      fields += [sway.milliG, sway.steadyMilliG, sway.limitMilliG].map {
        decimal($0, places: 1)
      }
    case .unusable, .watching: fields += ["", "", ""]
    }
    fields.append(evidence.speed.map { decimal($0, places: 2) } ?? "")
    fields.append(decimal(evidence.creditSeconds, places: 2))
    return fields.joined(separator: ",")
  }

  /// The values behind a verdict in one line.
  public static func evidence(_ verdict: MotionVerdict) -> String {
    let evidence = verdict.evidence
    var words = [verdict.reason.rawValue, "by=\(evidence.sources.rawValue)"]
    switch evidence.accelerometer {
    case .measured(let sway):
      words.append("sway=\(decimal(sway.milliG, places: 1))mg")
      words.append("steady=\(decimal(sway.steadyMilliG, places: 1))mg")
      words.append("threshold=\(decimal(sway.limitMilliG, places: 1))mg")
      words.append("floor=\(decimal(sway.floorMilliG, places: 1))mg")
      words.append("rate=\(decimal(sway.samplesPerSecond, places: 0))Hz")
    case .unusable(let trouble): words.append("accelerometer=\(trouble.rawValue)")
    case .watching: words.append("accelerometer=watching")
    }
    if let speed = evidence.speed { words.append("speed=\(decimal(speed, places: 2))m/s") }
    if evidence.displacementMeters > 0 {
      words.append("displacement=\(decimal(evidence.displacementMeters, places: 1))m")
    }
    let credit = decimal(evidence.creditSeconds, places: 2)
    words.append("credit=\(credit)s/\(decimal(evidence.dwellSeconds, places: 0))s")
    return words.joined(separator: " ")
  }

  /// Columns as wide as their widest field, without blanks at the end.
  static func table(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (field, width) in zip(row, widths) {
        if !line.isEmpty { line += "  " }
        line += field + String(repeating: " ", count: width - field.count)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension Instant {
  /// Seconds since the start of the clock.
  fileprivate var seconds: Double { Interval(nanoseconds: nanoseconds).seconds }
}
