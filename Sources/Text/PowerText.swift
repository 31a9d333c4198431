import BinnacleBasics
public import BinnacleModel

/// The receiver's power as text for people, and the part of it in `binnacle status`.
public struct PowerText {
  private let report: ReportReader

  /// The keys for an overview.
  private static let short = [
    ReportKey.powerState.name, ReportKey.powerSince.name, ReportKey.powerCause.name,
    ReportKey.powerStaysOn.name,
  ]

  public init(_ report: Report) {
    self.report = ReportReader(report)
  }

  /// The report with only the keys about power.
  public static func part(of report: Report) -> Report {
    report.filtered { $0.hasPrefix("power.") }
  }

  /// The report with only the overview keys about power, and without the evidence for `why`.
  public static func shortened(_ report: Report) -> Report {
    report.filtered {
      !($0.hasPrefix("power.") || $0.hasPrefix("rest.")) || short.contains($0)
    }
  }

  public var lines: String {
    var lines = [row("receiver", state)]
    var number = 1
    while let who = report[.powerUserName("\(number)")],
      let what = report[.powerUserPurpose("\(number)")]
    {
      let since = report.duration(.powerUserSince("\(number)")).map { ", for \($0)" } ?? ""
      lines.append(row(number == 1 ? "kept on by" : "", "\(who): \(what)\(since)"))
      number += 1
    }
    if number == 1 { lines.append(row("kept on by", "no client")) }
    if let start = report[.powerNextFix], let soon = report.duration(.powerNextFixTime) {
      lines.append(row("next fix", "in about \(soon) (\(start))"))
    } else if report[.powerState] != nil {
      lines.append(row("next fix", "unknown: the receiver sends no data"))
    }
    let hour = report.duration(.powerOnLastHour) ?? "?"
    let day = report.duration(.powerOnLastDay) ?? "?"
    lines.append(row("on", "\(hour) of the last hour, \(day) of the last day"))
    let all = report.duration(.powerOnSinceStart) ?? "?"
    let uptime = report.duration(.powerUptime) ?? "?"
    lines.append(row("", "\(all) of the \(uptime) since the daemon's start"))
    lines.append(
      row(
        "sleeps",
        "\(report.count(.powerSleeps)), of which it refused \(report.count(.powerSleepsRefused)) and ended "
          + "\(report.count(.powerWakesByItself)) by itself"))
    lines.append(
      row(
        "wakes",
        "\(report.count(.powerWakes)), and \(report.count(.powerWakesFailed)) without an answer"))
    if let way = wakeWay { lines.append(row("woken by", way)) }
    if let wake = report[.powerLastWake] { lines.append(row("woken last", wake)) }
    return lines.joined(separator: "\n")
  }

  /// The source that wakes the receiver, and the fault of the wake-up line.
  private var wakeWay: String? {
    guard let way = report[.powerWokenBy] ?? report[.wakeLineFault].map({ _ in "nothing" })
    else { return nil }
    let line = report[.wakeLineLine].map { " (\($0))" } ?? ""
    guard let fault = report[.wakeLineFault] else { return way + line }
    return "\(way); the line to its pin EXTINT\(line) is not used: \(fault)"
  }

  private var state: String {
    var state = report[.powerState] ?? "unknown: this daemon is older than 'binnacle power'"
    if let since = report.duration(.powerSince) { state += " for \(since)" }
    if let cause = report[.powerCause] { state += ": \(cause)" }
    if let wake = report.duration(.powerWakesIn) { state += ", at most \(wake) longer" }
    if let why = report[.powerStaysOn] { state += "; it does not sleep: \(why)" }
    return state
  }

  private func row(_ title: String, _ value: String) -> String {
    title + String(repeating: " ", count: max(1, 12 - title.count)) + value
  }
}
