import BinnacleBasics
public import BinnacleModel

/// The receiver's power as a person reads it, and which part of it `binnacle status` shows.
public struct PowerText {
  private let report: Report

  /// What a glance at everything needs.
  private static let short = ["power.state", "power.since_s", "power.cause", "power.stays_on"]

  public init(_ report: Report) {
    self.report = report
  }

  /// The report with nothing but what is of power.
  public static func part(of report: Report) -> Report {
    filtered(report) { $0.hasPrefix("power.") }
  }

  /// The report with the little that a glance needs of power, and without the evidence that `why` shows.
  public static func shortened(_ report: Report) -> Report {
    filtered(report) {
      !($0.hasPrefix("power.") || $0.hasPrefix("rest.")) || short.contains($0)
    }
  }

  private static func filtered(_ report: Report, _ isWanted: (String) -> Bool) -> Report {
    var part = Report()
    for item in report.items where isWanted(item.name) { part.add(item.name, item.value) }
    return part
  }

  public var lines: String {
    var lines = [row("receiver", state)]
    var number = 1
    while let who = text("power.user_\(number).who"), let what = text("power.user_\(number).what") {
      let since = seconds("power.user_\(number).for_s").map { ", for \($0)" } ?? ""
      lines.append(row(number == 1 ? "kept on by" : "", "\(who): \(what)\(since)"))
      number += 1
    }
    if number == 1 { lines.append(row("kept on by", "nobody")) }
    if let start = text("power.next_fix"), let soon = seconds("power.next_fix_s") {
      lines.append(row("next fix", "in about \(soon) (\(start))"))
    } else if text("power.state") != nil {
      lines.append(row("next fix", "cannot be foreseen: no receiver is heard"))
    }
    let hour = seconds("power.on_s_last_hour") ?? "?"
    let day = seconds("power.on_s_last_day") ?? "?"
    lines.append(row("on", "\(hour) of the last hour, \(day) of the last day"))
    let all = seconds("power.on_s_since_start") ?? "?"
    let uptime = seconds("power.uptime_s") ?? "?"
    lines.append(row("", "\(all) of the \(uptime) since the daemon's start"))
    lines.append(
      row(
        "sleeps",
        "\(count("power.sleeps")), of which it refused \(count("power.sleeps_refused")) and ended "
          + "\(count("power.wakes_by_itself")) by itself"))
    lines.append(
      row("wakes", "\(count("power.wakes")), and \(count("power.wakes_failed")) without an answer"))
    if let way = wakeWay { lines.append(row("woken by", way)) }
    if let wake = text("power.last_wake") { lines.append(row("woken last", wake)) }
    return lines.joined(separator: "\n")
  }

  /// What wakes the receiver, and what is wrong with the line that might.
  private var wakeWay: String? {
    guard let way = text("power.woken_by") ?? text("power.wake_line.fault").map({ _ in "nothing" })
    else { return nil }
    let line = text("power.wake_line.line").map { " (\($0))" } ?? ""
    guard let fault = text("power.wake_line.fault") else { return way + line }
    return "\(way); the line to its pin EXTINT\(line) is not used: \(fault)"
  }

  private var state: String {
    var state = text("power.state") ?? "unknown: this daemon is older than 'binnacle power'"
    if let since = seconds("power.since_s") { state += " for \(since)" }
    if let cause = text("power.cause") { state += ": \(cause)" }
    if let wake = seconds("power.wakes_in_s") { state += ", at most \(wake) longer" }
    if let why = text("power.stays_on") { state += "; it does not sleep: \(why)" }
    return state
  }

  private func row(_ title: String, _ value: String) -> String {
    title + String(repeating: " ", count: max(1, 12 - title.count)) + value
  }

  private func text(_ name: String) -> String? {
    guard case .text(let text) = report[name] else { return nil }
    return PlainText.line(text)
  }

  private func count(_ name: String) -> String {
    guard case .integer(let number) = report[name] else { return "?" }
    return String(number)
  }

  private func seconds(_ name: String) -> String? {
    guard case .number(let number) = report[name] else { return nil }
    return DurationText.words(number)
  }
}
