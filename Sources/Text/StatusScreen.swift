import BinnacleBasics
public import BinnacleModel

/// The daemon's report on one screen: at most 24 lines of 80 columns.
///
/// What is not well stands first, each with the command that mends it. Then a line says what is well of each part.
public struct StatusScreen {
  static let linesMax = 24

  private let report: ReportReader
  /// The program that shows the screen, whose own connection is left out.
  private let ownProgram: String

  /// - Parameters:
  ///   - report: the daemon's.
  ///   - ownProgram: the name by which this program greets the daemon.
  public init(_ report: Report, ownProgram: String) {
    self.report = ReportReader(report)
    self.ownProgram = ownProgram
  }

  /// The lines of the screen.
  public var lines: [String] {
    let troubles = StatusTroubles(report).all
    var lines: [String] = []
    for trouble in troubles.prefix(StatusScreen.troublesMax) {
      lines.append(StatusScreen.row("! " + trouble.subject, trouble.text))
      lines.append(StatusScreen.row("", "mend: " + trouble.remedy))
    }
    if troubles.count > StatusScreen.troublesMax {
      let more = troubles.count - StatusScreen.troublesMax
      lines.append(StatusScreen.row("", "and \(more) more; 'binnacle doctor' lists them"))
    }
    lines += parts.map { StatusScreen.row("  " + $0.subject, $0.text) }
    return lines + apps(room: StatusScreen.linesMax - lines.count)
  }

  private static let troublesMax = 5

  /// A line of two columns, cut to 80.
  private static func row(_ subject: String, _ text: String) -> String {
    let title = subject + String(repeating: " ", count: max(1, 16 - subject.count))
    let line = title + text
    return line.count <= FoldedLine.columnsMax
      ? line : line.prefix(FoldedLine.columnsMax - 3) + "..."
  }

  // MARK: Parts of the board

  private struct Part {
    var subject: String
    var text: String
  }

  private var parts: [Part] {
    let texts: [(String, String?)] = [
      ("daemon", daemon), ("receiver", receiver), ("fix", fix), ("rest", rest), ("power", power),
      ("accelerometer", accelerometer), ("services", services), ("state", state),
      ("track", track), ("lights", lights), ("buttons", buttons), ("door NMEA", door),
    ]
    return texts.compactMap { subject, text in text.map { Part(subject: subject, text: $0) } }
  }

  private var daemon: String? {
    guard let version = report.text("daemon.version") else { return nil }
    let uptime = report.number("daemon.uptime_s").map { ", up \(DurationText.words($0))" } ?? ""
    let starts = report.integer("life.starts").map { ", start \($0) of this board" } ?? ""
    return "binnacled \(version)\(uptime)\(starts)"
  }

  private var receiver: String? {
    guard let state = report.text("receiver.state") else { return nil }
    var parts = [state]
    if let name = report.text("receiver.module") ?? report.text("receiver.generation") {
      parts.append("u-blox " + name)
    }
    if let firmware = report.text("receiver.firmware") { parts.append(firmware) }
    if let baud = report.integer("receiver.speed_baud") { parts.append("\(baud) baud") }
    if let rate = report.integer("receiver.rate_hz") { parts.append("\(rate) Hz") }
    if parts.count == 1, let device = report.text("receiver.device") { parts.append(device) }
    return parts.joined(separator: ", ")
  }

  private var fix: String? {
    guard let age = report.number("fixes.last_age_s") else { return "none yet" }
    let accuracy =
      report.number("fixes.last_horizontal_accuracy_m")
      .map { ", accurate to \(DecimalText.fixed($0, places: 1)) m" } ?? ""
    let time = report.text("fixes.last_time").map { ", of \($0)" } ?? ""
    return "\(DecimalText.fixed(age, places: age < 10 ? 1 : 0)) s old\(accuracy)\(time)"
  }

  private var rest: String? {
    guard let isStationary = report.flag("motion.is_stationary") else { return nil }
    let since = report.number("motion.since_s").map { " for \(DurationText.words($0))" } ?? ""
    let paused = report.integer("sessions.paused") ?? 0
    let pauses = paused > 0 ? "; \(StatusScreen.count(paused, "sequence")) paused" : ""
    return (isStationary ? "at rest" : "not at rest") + since + pauses
  }

  private var power: String? {
    guard let state = report.text("power.state") else { return nil }
    let since = report.number("power.since_s").map { " for \(DurationText.words($0))" } ?? ""
    let cause = report.text("power.cause").map { ": \($0)" } ?? ""
    let user = report.text("power.user_1.who").map { ", kept on by \($0)" } ?? ""
    return state + since + cause + user
  }

  private var accelerometer: String? {
    guard let state = report.text("accelerometer.state") else { return nil }
    let chip = report.text("accelerometer.chip").map { ", \($0)" } ?? ""
    let mode = report.text("accelerometer.mode").map { ", \($0)" } ?? ""
    return state + chip + mode
  }

  private var services: String? {
    report.flag("services.on").map { $0 ? "on" : "off" }
  }

  private var state: String? {
    guard let isKept = report.flag("state.kept") else { return nil }
    let records = report.integer("state.records").map { ", \(StatusScreen.count($0, "record"))" }
    let bytes = report.integer("life.written_bytes")
      .map { ", \($0 / 1_024) KiB written in the board's life" }
    return (isKept ? "kept" : "not kept") + (records ?? "") + (bytes ?? "")
  }

  private var track: String? {
    guard report.flag("track.is_on") == true else { return nil }
    let accuracy = report.text("track.accuracy") ?? ""
    let oldest = report.text("track.oldest").map { ", since \($0)" } ?? ""
    return accuracy + oldest
  }

  private var lights: String? {
    let lights = [
      report.text("indicator.state").map { "indicator \($0)" },
      report.text("status_light.pattern").map { "status light: \($0)" },
    ].compactMap { $0 }
    return lights.isEmpty ? nil : lights.joined(separator: ", ")
  }

  private var buttons: String? {
    let names = report.members("buttons.", ".short").map { name in
      report.flag("buttons.\(name).is_pressed") == true ? "\(name) (pressed)" : name
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  private var door: String? {
    guard let readers = report.integer("doors.nmea.readers") else { return nil }
    return StatusScreen.count(readers, "reader")
  }

  // MARK: Apps

  /// A line for each client with what it gets, as many as there is room for.
  private func apps(room: Int) -> [String] {
    let rows = report.members("clients.", ".program").filter {
      report.text("clients.\($0).program") != ownProgram
    }.map { app($0) }
    guard !rows.isEmpty else { return [StatusScreen.row("  apps", "none is connected")] }
    let shown = rows.count <= room ? rows : Array(rows.prefix(max(0, room - 1)))
    var lines = shown.enumerated().map { index, text in
      StatusScreen.row(index == 0 ? "  apps" : "", text)
    }
    if shown.count < rows.count {
      lines.append(
        StatusScreen.row(
          shown.isEmpty ? "  apps" : "",
          "and \(rows.count - shown.count) more; 'binnacle status --all' lists them"))
    }
    return lines
  }

  private func app(_ number: String) -> String {
    let name = "clients.\(number)"
    var sequences: [String] = []
    for sequence in report.members("\(name).sequence.", "") {
      guard let text = report.text("\(name).sequence.\(sequence)") else { continue }
      let isPaused = report.text("\(name).sequence.\(sequence).pause") == "paused"
      sequences.append(isPaused ? text + ", paused" : text)
    }
    let what =
      sequences.isEmpty
      ? "no updates"
      : sequences[0] + (sequences.count > 1 ? " and \(sequences.count - 1) more" : "")
    let program = report.text("\(name).program") ?? "?"
    // What the client gets matters more than the end of a long name.
    let room = FoldedLine.columnsMax - 16 - what.count - 2
    let short = program.count <= room ? program : program.prefix(max(8, room - 3)) + "..."
    return "\(short): \(what)"
  }

  private static func count(_ count: Int64, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
