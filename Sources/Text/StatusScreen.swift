import BinnacleBasics
public import BinnacleModel

/// The daemon's report on one screen: at most 23 lines of 80 columns, so that the prompt has a line, too.
///
/// Problems are at the top, each with a command that solves the problem. Then there is one line per part that works.
public struct StatusScreen: Sendable {
  static let linesMax = 23

  private let report: ReportReader
  private let activity: String?
  /// The program that shows the screen; its own connection is omitted, and so is each other tool without updates.
  private let ownProgram: String

  /// - Parameters:
  ///   - report: the daemon's report.
  ///   - ownProgram: the name of this program in its greeting to the daemon.
  public init(_ report: Report, ownProgram: String) {
    self.report = ReportReader(report)
    activity = ActivityText.line(report)
    self.ownProgram = ownProgram
  }

  /// The lines of the screen.
  public var lines: [String] {
    let parts = parts.map { StatusScreen.row("  " + $0.subject, $0.text) }
    // The apps have at least one line.
    let lines = troubles(room: StatusScreen.linesMax - parts.count - 1) + parts
    return lines + apps(room: StatusScreen.linesMax - lines.count)
  }

  /// The problems, each with its remedy; the last line says how many have no room.
  private func troubles(room: Int) -> [String] {
    let troubles = StatusTroubles(report).all
    // A few problems are shown in full length, so that no remedy is cut off; one problem may be a long sentence about lost state.
    let rowsMax = troubles.count == 1 ? 4 : troubles.count <= StatusScreen.longTroublesMax ? 2 : 1
    let isWhole =
      troubles.count <= StatusScreen.longTroublesMax
      || troubles.count <= min(StatusScreen.troublesMax, room / 2)
    let countMax = isWhole ? troubles.count : min(StatusScreen.troublesMax, (room - 1) / 2)
    var lines: [String] = []
    for trouble in troubles.prefix(countMax) {
      lines += StatusScreen.rows("! " + trouble.subject, trouble.text, max: rowsMax)
      lines += StatusScreen.rows("", "mend: " + trouble.remedy, max: rowsMax)
    }
    if countMax < troubles.count {
      let more = CountText.words(troubles.count - countMax, "more problem")
      lines.append(StatusScreen.row("", "and \(more); 'binnacle status --all' lists all"))
    }
    return lines
  }

  /// The parts of the board with their states, in full length.
  public var facts: [(name: String, value: String)] { parts.map { ($0.subject, $0.text) } }

  /// The state of a part, such as `fix`; nil if the report has nothing about the part.
  public func fact(_ name: String) -> String? { parts.first { $0.subject == name }?.text }

  /// The problems as sentences, each with the command that solves it.
  public var problems: [String] {
    StatusTroubles(report).all.map { "\($0.subject): \($0.text); \($0.remedy)" }
  }

  private static let troublesMax = 5
  private static let longTroublesMax = 2
  private static let titleColumns = 16

  /// A line of two columns, truncated to 80 columns.
  private static func row(_ subject: String, _ text: String) -> String {
    TextColumns.clipped(titled(subject, text), to: TextColumns.screenMax)
  }

  /// At most so many lines of two columns; the last line is truncated to 80 columns.
  private static func rows(_ subject: String, _ text: String, max countMax: Int) -> [String] {
    let line = titled(subject, text)
    guard countMax > 1, line.unicodeScalars.allSatisfy({ $0.isASCII }) else {
      return [TextColumns.clipped(line, to: TextColumns.screenMax)]
    }
    let pieces = FoldedLine.pieces(line, hang: titleColumns)
    guard pieces.count > countMax else { return pieces }
    let rest = pieces[(countMax - 1)...].map { $0.drop { $0 == " " } }.joined(separator: " ")
    return pieces.prefix(countMax - 1) + [row("", rest)]
  }

  private static func titled(_ subject: String, _ text: String) -> String {
    subject + String(repeating: " ", count: max(1, titleColumns - subject.count)) + text
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
      ("track", track), ("lights", lights), ("buttons", buttons), doors,
      ("activity", activity),
    ]
    return texts.compactMap { subject, text in text.map { Part(subject: subject, text: $0) } }
  }

  private var daemon: String? {
    guard let version = report[.daemonVersion] else { return nil }
    let uptime = report[.daemonUptime].map { ", up \(DurationText.words($0))" } ?? ""
    let starts = report[.lifeCounter("starts")].map { ", start \($0) of this board" } ?? ""
    return "binnacled \(version)\(uptime)\(starts)"
  }

  private var receiver: String? {
    guard let state = report[.receiverState] else { return nil }
    var parts = [state]
    if let name = report[.receiverModule] ?? report[.receiverGeneration] {
      parts.append("u-blox " + name)
    }
    if let firmware = report[.receiverFirmware] { parts.append(firmware) }
    if let baud = report[.receiverSpeed] { parts.append("\(baud) baud") }
    if let rate = report[.receiverRate] { parts.append("\(rate) Hz") }
    if parts.count == 1, let device = report[.receiverDevice] { parts.append(device) }
    return parts.joined(separator: ", ")
  }

  private var fix: String? {
    guard let age = report[.fixAge] else { return "none yet" }
    let accuracy =
      report[.fixHorizontalAccuracy]
      .map { ", accurate to \(DecimalText.fixed($0, places: 1)) m" } ?? ""
    let time = report[.fixTime].map { ", of \($0)" } ?? ""
    return "\(DecimalText.fixed(age, places: age < 10 ? 1 : 0)) s old\(accuracy)\(time)"
  }

  private var rest: String? {
    guard let isStationary = report[.restIsStationary(report.verdictOnRest)] else { return nil }
    let since =
      report[.restSince(report.verdictOnRest)].map { " for \(DurationText.words($0))" } ?? ""
    let paused = report[.sessionsPaused] ?? 0
    let pauses = paused > 0 ? "; \(CountText.words(paused, "sequence")) paused" : ""
    return (isStationary ? "at rest" : "not at rest") + since + pauses
  }

  private var power: String? {
    guard let state = report[.powerState] else { return nil }
    let since = report[.powerSince].map { " for \(DurationText.words($0))" } ?? ""
    let cause = report[.powerCause].map { ": \($0)" } ?? ""
    let user = report[.powerUserName("1")].map { ", kept on by \($0)" } ?? ""
    return state + since + cause + user
  }

  private var accelerometer: String? {
    guard let state = report[.accelerometerState] else { return nil }
    let chip = report[.accelerometerChip].map { ", \($0)" } ?? ""
    let mode = report[.accelerometerMode].map { ", \($0)" } ?? ""
    return state + chip + mode
  }

  private var services: String? {
    report[.servicesOn].map { $0 ? "on" : "off" }
  }

  private var state: String? {
    guard let isKept = report[.stateKept] else { return nil }
    let records = report[.stateRecords].map { ", \(CountText.words($0, "record"))" }
    let bytes = report[.lifeCounter("written_bytes")]
      .map { ", \($0 / 1_024) KiB written in the board's life" }
    return (isKept ? "kept" : "not kept") + (records ?? "") + (bytes ?? "")
  }

  private var track: String? {
    guard report[.trackIsOn] == true else { return nil }
    let accuracy = report[.trackAccuracy] ?? ""
    let oldest = report[.trackOldest].map { ", since \($0)" } ?? ""
    return accuracy + oldest
  }

  private var lights: String? {
    let lights = [
      report[.lampState("indicator")].map { "indicator \($0)" },
      report[.statusLightPattern].map { "status light: \($0)" },
    ].compactMap { $0 }
    return lights.isEmpty ? nil : lights.joined(separator: ", ")
  }

  private var buttons: String? {
    let names = report.members("buttons.", ".short").map { name in
      report[.buttonIsPressed(name)] == true ? "\(name) (pressed)" : name
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// One row for all doors, because the screen has no room for a row of each.
  private var doors: (String, String?) {
    let readers = DoorKind.allCases.compactMap { door in
      report[.doorReaders(door)].map { (door.title, CountText.words($0, "reader")) }
    }
    if readers.count == 1 { return ("door \(readers[0].0)", readers[0].1) }
    let text = readers.map { "\($0) \($1)" }.joined(separator: ", ")
    return ("doors", text.isEmpty ? nil : text)
  }

  // MARK: Apps

  /// A line per client with its service, as many lines as fit.
  private func apps(room: Int) -> [String] {
    let rows = report.members("clients.", ".program").filter { !isTool($0) }.map { app($0) }
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

  /// Whether a client is a command of `binnacle` that has no updates open, such as a console.
  private func isTool(_ number: String) -> Bool {
    guard let program = report[.clientProgram(number)] else { return false }
    if program == ownProgram { return true }
    return program.hasPrefix("binnacle ")
      && report.members("clients.\(number).sequence.", "").isEmpty
  }

  private func app(_ number: String) -> String {
    var sequences: [String] = []
    for sequence in report.members("clients.\(number).sequence.", "") {
      guard let text = report[.sequenceStands(number, sequence)] else { continue }
      let isPaused = report[.sequencePause(number, sequence)] == "paused"
      sequences.append(isPaused ? text + ", paused" : text)
    }
    let what =
      sequences.isEmpty
      ? "no updates"
      : sequences[0] + (sequences.count > 1 ? " and \(sequences.count - 1) more" : "")
    let program = report[.clientProgram(number)] ?? "?"
    // The service of the client is more important than the end of a long name.
    let room = TextColumns.screenMax - 16 - TextColumns.count(what) - 2
    let short = TextColumns.clipped(program, to: max(11, room))
    return "\(short): \(what)"
  }
}
