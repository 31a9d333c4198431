import BinnacleBasics
public import BinnacleModel

/// Acceleration, verdict and evidence as one line, with a small bar.
public struct MotionText {
  private static let barWidth = 10
  private let report: ReportReader

  public init(_ report: Report) { self.report = ReportReader(report) }

  /// The report with only the keys about motion.
  public static func part(of report: Report) -> Report {
    report.filtered {
      $0.hasPrefix("motion.") || $0.hasPrefix("rest.") || $0.hasPrefix("accelerometer.")
    }
  }

  /// The line, at most 79 columns.
  public var line: String { TextColumns.clipped(joined(acceleration, sway, speed), to: 79) }

  /// The line in fewer columns: the speed and then the acceleration are left out if there is no room for them.
  public func line(columns: Int) -> String {
    let lines = [joined(acceleration, sway, speed), joined(acceleration, sway), joined(sway)]
    return lines.first { TextColumns.count($0) <= columns } ?? joined()
  }

  /// The parts, and the verdict.
  private func joined(_ parts: String?...) -> String {
    (parts + [verdict]).compactMap { $0 }.joined(separator: "  ")
  }

  private var acceleration: String? {
    guard let x = report[.accelerometerLastX], let y = report[.accelerometerLastY],
      let z = report[.accelerometerLastZ]
    else { return report[.accelerometerState].map { "accelerometer \($0)" } }
    return [x, y, z].map { MotionText.signed($0) }.joined(separator: " ") + " g"
  }

  /// The sway as a share of the sway above which the board moves: a bar that is full when it moves.
  private var sway: String? {
    guard let sway = report[.restSway(base)], let limit = report[.restThreshold(base)], limit > 0
    else { return nil }
    let share = min(1, max(0, sway / limit))
    let filled = Int((share * Double(MotionText.barWidth)).rounded())
    let bar =
      String(repeating: "#", count: filled)
      + String(repeating: ".", count: MotionText.barWidth - filled)
    let figures =
      "\(DecimalText.fixed(min(sway, 99_999), places: 1))/\(DecimalText.fixed(limit, places: 1)) mg"
    return "[\(bar)] \(figures)"
  }

  private var speed: String? {
    report[.restSpeed(base)].map { "\(DecimalText.fixed($0, places: 2)) m/s" }
  }

  private var verdict: String {
    guard let isStationary = report[.restIsStationary(base)] else { return "not judged" }
    let since = report.duration(.restSince(base)).map { " \($0)" } ?? ""
    if isStationary { return "rests\(since)" }
    guard let credit = report[.restCredit(base)], let dwell = report[.restDwell(base)], credit > 0
    else { return "moves\(since)" }
    return "quiet \(DurationText.words(credit)) of \(DurationText.words(dwell))"
  }

  /// The first dwell, whose sequences wait for the verdict; without sequences the board's own verdict.
  private var base: String { report.verdictOnRest }

  private static func signed(_ number: Double) -> String {
    let text = DecimalText.fixed(abs(number), places: 2)
    return (number < 0 && text != "0.00" ? "-" : "+") + text
  }
}

extension ReportReader {
  /// The keys of the verdict on rest that `motion`, `top` and `status` show.
  var verdictOnRest: String { self[.restDwell("rest.1")] == nil ? "motion" : "rest.1" }
}
