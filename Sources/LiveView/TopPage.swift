import BinnacleBasics
import BinnacleModel
import BinnacleText

/// The contents of `binnacle top`: parts with lines, for a screen or for a terminal that only prints lines.
public struct TopPage: Sendable {
  /// The parts in the order of the screen.
  enum Part: CaseIterable, Hashable {
    case alerts
    case requests
    case fix
    case motion
    case power
    case light
    case receiver
    case state
    case activity
    case sky
    case apps
    case log

    var name: String {
      switch self {
      case .alerts: "!"
      case .requests: "request"
      case .fix: "fix"
      case .motion: "motion"
      case .power: "power"
      case .light: "light"
      case .receiver: "receiver"
      case .state: "state"
      case .activity: "activity"
      case .sky: "sky"
      case .apps: "apps"
      case .log: "log"
      }
    }
  }

  typealias Line = [StyledText]

  /// The columns of the names of parts.
  static let nameWidth = 9

  private let snapshot: BoardSnapshot
  private let screen: StatusScreen?
  private let columns: Int

  /// - Parameters:
  ///   - snapshot: the values.
  ///   - columns: the width of a line with the name of its part.
  public init(_ snapshot: BoardSnapshot, columns: Int) {
    self.snapshot = snapshot
    screen = snapshot.report.map { StatusScreen($0, ownProgram: "binnacle top") }
    self.columns = max(columns, TopPage.nameWidth + 1)
  }

  // MARK: Title

  /// The board, its state in one word, and the time.
  var title: (left: String, right: String) {
    let word = snapshot.report.map { StateWord.word($0) } ?? StateWord.absent
    return (
      "binnacle top  \(PlainText.line(snapshot.board)) \(word)", PlainText.line(snapshot.time)
    )
  }

  // MARK: Parts

  /// The lines of a part, at most this many; the most important first.
  func lines(of part: Part, atMost count: Int = .max) -> [Line] {
    if count <= 0 { return [] }
    switch part {
    case .alerts: return cut(alerts, to: count, "'binnacle status' lists them")
    case .requests: return Array(requests.prefix(count))
    case .fix: return fact("fix")
    case .motion:
      let text = snapshot.report.map { MotionText($0).line(columns: room) }
      return text.map { [plain($0)] } ?? []
    case .power: return fact("power")
    case .light: return fact("lights")
    case .receiver: return fact("receiver")
    case .state: return fact("state")
    case .activity: return fact("activity")
    case .sky: return sky(count)
    case .apps: return apps(atMost: count)
    case .log: return log(count)
    }
  }

  private func plain(_ text: String) -> Line { [StyledText(text)] }

  private func fact(_ name: String) -> [Line] {
    screen?.fact(name).map { [plain($0)] } ?? []
  }

  private var room: Int { columns - TopPage.nameWidth }

  /// The daemon's absence and the problems of the status, each with the command that mends it.
  private var alerts: [Line] {
    let texts = [snapshot.absence].compactMap { $0 } + (screen?.problems ?? [])
    return texts.flatMap { FoldedLine.pieces(PlainText.line($0), hang: 2, columns: room) }.map {
      [StyledText($0, .bad)]
    }
  }

  private var requests: [Line] {
    snapshot.requests.flatMap { row in
      PromptText.question(row, program: "binnacle ").split(separator: "\n").flatMap { line in
        FoldedLine.pieces(String(line), hang: 0, columns: room)
      }
    }.map { [StyledText($0, .strong)] }
  }

  private func sky(_ count: Int) -> [Line] {
    guard let sky = snapshot.sky else {
      return snapshot.skyAbsence.map { [plain(PlainText.line($0))] } ?? []
    }
    let text = SkyText(sky)
    let head = plain(text.summary)
    // The picture needs two rows of columns, the names, and the line above.
    guard count >= 4, !sky.satellites.isEmpty else { return [head] }
    let height = min(count - 2, TopPage.barHeightMax)
    return [head] + SkyBars(text.satellites, columns: room).lines(height: height)
  }

  static let barHeightMax = 8

  // MARK: Apps

  /// The apps: each with its verdict; an app without locations also has the reason, and the change that helps.
  private func apps(atMost count: Int) -> [Line] {
    if let absence = snapshot.appsAbsence { return [plain(PlainText.line(absence))] }
    guard snapshot.report != nil, let apps = snapshot.apps else { return [] }
    if apps.isEmpty { return [plain("no apps")] }
    let blocks = apps.map { rows(of: $0) }
    if blocks.reduce(0, { $0 + $1.count }) <= count { return blocks.flatMap { $0 } }
    if count == 1 {
      let servedCount = apps.count { $0.isReceiving }
      return [
        plain("\(servedCount) of \(blocks.count) get locations; 'binnacle why' lists them")
      ]
    }
    var lines: [Line] = []
    var shownCount = 0
    for block in blocks where lines.count < count - 1 {
      lines += block.prefix(count - 1 - lines.count)
      shownCount += 1
    }
    let more = blocks.count - shownCount
    return lines + [plain(more == 0 ? "..." : "and \(more) more; 'binnacle why' lists them")]
  }

  private func rows(of app: AppReasons) -> [Line] {
    if app.isReceiving {
      let columns = max(12, room - GlyphWidth.columns(of: app.verdict) - 2)
      let name = GlyphWidth.clipped(app.name, to: columns)
      return [[StyledText(name + ": "), StyledText(app.verdict, .good)]]
    }
    let name = GlyphWidth.clipped(app.name, to: max(12, room / 2)) + ": "
    let obstacle = app.obstacle
    var lines: [Line] = [
      [StyledText(name), StyledText("NO, ", .warning), StyledText(obstacle?.text ?? app.verdict)]
    ]
    if let change = obstacle?.change { lines.append(plain("  change: \(change)")) }
    return lines
  }

  // MARK: Log

  private func log(_ count: Int) -> [Line] {
    if let absence = snapshot.logAbsence { return [plain(PlainText.line(absence))] }
    return snapshot.log.suffix(count).map { TopPage.line(ofLog: $0) }
  }

  static func line(ofLog row: Report) -> Line {
    let style: CellStyle =
      switch row[.rowPriority] {
      case "error": .bad
      case "warning": .warning
      case _: .plain
      }
    return [StyledText(LogText.line(row, hasDate: false), style)]
  }

  /// The first lines; the last of them counts the lines that have no room.
  private func cut(_ lines: [Line], to count: Int, _ place: String) -> [Line] {
    guard lines.count > count else { return lines }
    let shown = lines.prefix(max(count - 1, 1))
    if count == 1 { return Array(shown) }
    return shown + [plain("and \(lines.count - shown.count) more; \(place)")]
  }
}
