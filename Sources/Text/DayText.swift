import BinnacleBasics
import BinnacleModel

/// The last day for a terminal, in at most 80 columns: a bar for each part of the board, and the time in each state.
public struct DayText {
  private let day: DayTimeline

  private static let columns = 72

  public init(_ day: DayTimeline) { self.day = day }

  public var lines: String {
    let time = day.now.rfc3339(fractionDigits: 0)
    var lines = [
      "The 24 hours until \(time); a column is 20 minutes, hours in UTC.", "", hours,
    ]
    for lane in day.lanes { lines += section(lane) }
    for app in usingApps { lines += section(ofUsesBy: app) }
    lines += ["", legend]
    if day.daemonAge < DayTimeline.span {
      lines.append(
        "? is unknown: the daemon started \(DurationText.words(day.daemonAge)) ago; "
          + "its history is in its memory.")
    }
    if day.appsLeftOut > 0 {
      lines.append(CountText.words(day.appsLeftOut, "more app") + " had no place.")
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Parts

  /// The hours above the bars, every third one.
  private var hours: String {
    var line = Array(repeating: Character(" "), count: DayText.columns + 2)
    let minute = Int(day.now.calendar.minute)
    for hour in 0..<24 {
      // Hours before the last full hour.
      let age = Double(minute) * 60 + Double(hour) * 3_600
      let column = DayText.columns - 1 - Int(age / 1_200)
      let name = (day.now.calendar.hour - hour + 24) % 24
      guard name % 3 == 0, column >= 0 else { continue }
      for (offset, digit) in DecimalText.padded(name, width: 2).enumerated()
      where column + offset < line.count {
        line[column + offset] = digit
      }
    }
    return DayText.trimmed("  " + String(line))
  }

  private func section(_ lane: DayTimeline.Lane) -> [String] {
    let name =
      switch lane.part {
      case .movement: "movement"
      case .receiver: "receiver"
      case .light: "indicator"
      case .app: PlainText.line(lane.app ?? "?")
      }
    let totals = DayTimeline.totals(of: lane).map {
      "\($0.state.words) \(DurationText.words($0.seconds))"
    }
    return [TextColumns.clipped(name, to: TextColumns.screenMax), "  " + bar(lane)]
      + DayText.wrapped(totals)
  }

  /// A character for each column: of its states the one with most activity.
  private func bar(_ lane: DayTimeline.Lane) -> String {
    var line = Array(repeating: Character("?"), count: DayText.columns)
    var levels = Array(repeating: -1, count: DayText.columns)
    for segment in lane.segments {
      for column in DayText.span(segment.from, segment.to)
      where levels[column] <= segment.state.level {
        (levels[column], line[column]) = (segment.state.level, segment.state.letter)
      }
    }
    return String(line)
  }

  private var usingApps: [String] {
    var apps: [String] = []
    for use in day.uses where !apps.contains(use.app) { apps.append(use.app) }
    return apps
  }

  private func section(ofUsesBy app: String) -> [String] {
    var line = Array(repeating: Character("."), count: DayText.columns)
    var (seconds, updates) = (0.0, Int64(0))
    for use in day.uses where use.app == app {
      for column in DayText.span(use.from, use.to) { line[column] = "B" }
      seconds += use.from - use.to
      updates += use.updates
    }
    let name = TextColumns.clipped(PlainText.line(app), to: 40)
    return [
      "\(name) with locations in the background", "  " + String(line),
      "    B \(DurationText.words(seconds)), \(CountText.words(updates, "location"))",
    ]
  }

  private static func span(_ from: Double, _ to: Double) -> ClosedRange<Int> {
    let width = DayTimeline.span / Double(columns)
    let first = Int((DayTimeline.span - from) / width)
    let last = Int((DayTimeline.span - to) / width)
    let low = min(max(first, 0), columns - 1)
    return low...min(max(last, low), columns - 1)
  }

  private var legend: String {
    "M moving, r resting; F fix, S searching, p pause, z asleep, ! silent or failed;\n"
      + "L lit; f foreground, b background, s suspended; . none of these"
  }

  private static func wrapped(_ parts: [String]) -> [String] {
    var lines: [String] = []
    for (index, part) in parts.enumerated() {
      let text = index + 1 < parts.count ? part + "," : part
      if let last = lines.last, TextColumns.count(last) + 1 + TextColumns.count(text) <= 78 {
        lines[lines.count - 1] = last + " " + text
      } else {
        lines.append("    " + text)
      }
    }
    return lines
  }

  private static func trimmed(_ text: String) -> String {
    String(text.reversed().drop { $0 == " " }.reversed())
  }
}

extension DayState {
  /// The state in a bar of text.
  fileprivate var letter: Character {
    switch self {
    case .moving: "M"
    case .resting: "r"
    case .fix: "F"
    case .searching: "S"
    case .paused: "p"
    case .asleep: "z"
    case .silent, .failed: "!"
    case .lit: "L"
    case .asserting: "l"
    case .foreground: "f"
    case .background: "b"
    case .suspended: "s"
    case .notJudged, .absent, .dark, .notRunning: "."
    }
  }
}
