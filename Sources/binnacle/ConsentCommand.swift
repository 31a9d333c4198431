import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire
import Console

/// The verbs about the rights of apps: `apps`, `grants`, `prompts`, `allow`, `deny`, `reset`, `foreground`, `background`
/// and `home`.
extension Commands {
  /// Prints the open requests: the sentence for the person, or one JSON object a line.
  func prompts(isJSON: Bool) throws(Errno) -> ExitStatus {
    let reader = reader
    let empty = EmptyList(
      all: "no app has an open request", own: "no app of yours has an open request")
    return try list(
      .prompts, isJSON: isJSON, empty: empty, isWanted: { _ in true },
      text: { rows in
        rows.map { PromptText.question($0, program: "binnacle ", for: reader) }
          .joined(separator: "\n")
      })
  }

  /// The reader of the requests: an operator if the console is unlocked, or if the user is root, the daemon's own user, or
  /// a member of the group of operators.
  private var reader: PromptText.Reader {
    if case .console(let token)? = ConsoleToken.inheritedRole {
      return token == nil ? .anyUser : .operator
    }
    if Environment.userID == 0 { return .operator }
    let directory = RuntimeDirectory.ofClient(option: runtimeDirectory)
    let socket = try? Files.status(of: RuntimeDirectory.socketPath(in: directory))
    if socket?.userID == Environment.userID { return .operator }
    guard let group = Users.groupNumber(of: "binnacle"),
      let groups = try? Users.entry(of: "\(Environment.userID)")?.groups
    else { return .anyUser }
    return groups.contains(group) ? .operator : .anyUser
  }

  /// Prints the open requests, and then each that comes or goes, until it is interrupted.
  func followPrompts(isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle prompts")
    _ = connection.machine.request(.consent(.watchPrompts), at: Clock.now)
    // A person has read the sentence already when the board shows it.
    var changes = PromptChanges(includesShowing: isJSON)
    let reader = reader
    return try follow(connection) { action in
      switch action {
      case .answered(let refusal?):
        complain("prompts: \(refusal.text)")
        return .failure
      case .rows(let rows, isLast: true):
        for row in changes.take(rows) {
          let text =
            isJSON
            ? ReportText.json(row: row)
            : PromptText.change(row, program: "binnacle ", for: reader)
          guard Output.print(text) else { return .failure }
        }
        return nil
      case _: return nil
      }
    }
  }

  /// The sentence for a list without rows.
  struct EmptyList {
    /// The list has the apps of all users.
    let all: String
    /// The list has only the apps of the caller; apps of other users may exist.
    let own: String
  }

  /// Prints a list as a table, or one JSON object a line.
  func list(
    _ request: ConsentRequest, keys: [ReportCatalog.Entry], isJSON: Bool, empty: EmptyList
  ) throws(Errno) -> ExitStatus {
    try list(
      request, isJSON: isJSON, empty: empty, isWanted: { _ in true },
      text: { RowTable($0, keys: keys).text(columns: Output.columns) })
  }

  private func list(
    _ request: ConsentRequest, as program: String = "binnacle list", isJSON: Bool,
    empty: EmptyList, isWanted: (Report) -> Bool, text: ([Report]) -> String
  ) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: program)
    _ = connection.machine.request(.consent(request), at: Clock.now)
    var rows: [Report] = []
    var isOwn = false
    return try ask(connection) { action in
      if action == .ownApps { isOwn = true }
      guard case .rows(let piece, let isLast) = action else { return nil }
      rows += piece.filter(isWanted)
      guard isLast else { return nil }
      if isJSON {
        return rows.allSatisfy { Output.print(ReportText.json(row: $0)) } ? .success : .failure
      }
      let whole = rows.isEmpty ? (isOwn ? empty.own : empty.all) : text(rows)
      return Output.print(whole) ? .success : .failure
    }
  }

  /// Prints the epochs of background use that have not ended before an instant; nil: all epochs.
  func audit(since: UTCTime?, isJSON: Bool) throws(Errno) -> ExitStatus {
    let range = since.map { " since \($0.rfc3339(fractionDigits: 0))" } ?? ""
    // Only operators and consoles get the unlocked consoles.
    let empty = EmptyList(
      all: "no app has used locations in the background\(range), and no console was unlocked",
      own: "no app of yours has used locations in the background\(range)")
    return try list(
      .audit, as: "binnacle audit", isJSON: isJSON, empty: empty,
      isWanted: { row in
        // An epoch without an end continues.
        guard let since, let end = row[.rowTo].flatMap({ UTCTime(rfc3339: $0) }) else {
          return true
        }
        return end >= since
      }, text: { RowTable($0, keys: RowCatalog.audit).text(columns: Output.columns) })
  }

  /// Prints what an app gets, and why.
  func why(_ app: String, isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle why")
    _ = connection.machine.request(.consent(.why(app: app)), at: Clock.now)
    var rows: [Report] = []
    return try ask(connection) { action in
      switch action {
      case .rows(let piece, let isLast):
        rows += piece
        return isLast ? Commands.print(AppReasons.grouped(rows), isJSON: isJSON) : nil
      case .answered(let refusal?):
        complain("why: \(refusal.text)")
        return Commands.status(of: refusal)
      case _: return nil
      }
    }
  }

  /// Prints why updates pause or continue, and then the reasons of each app.
  ///
  /// The report is for operators; other users get the reasons of their own apps alone.
  func why(isJSON: Bool) throws(Errno) -> ExitStatus {
    let connection = try Connection(runtimeDirectory: runtimeDirectory, program: "binnacle why")
    _ = connection.machine.request(.status, at: Clock.now)
    _ = connection.machine.request(.consent(.why(app: nil)), at: Clock.now)
    var rows: [Report] = []
    var report: Report?
    var refusal: ServerMessage.Refusal?
    var (hasReasons, isOlder) = (false, false)
    return try ask(connection, isRefusalTaken: true) { action in
      switch action {
      case .status(let all): report = WhyText.part(of: all)
      case .rows(let piece, let isLast):
        rows += piece
        hasReasons = isLast
      // A daemon of an older version does not know the reasons of apps.
      case .answered: (hasReasons, isOlder) = (true, true)
      case .refused(let given):
        // A locked console may be refused both requests; a final refusal ends the connection.
        guard given.kind == .notPermitted, connection.machine.isReady, refusal == nil else {
          return refused(given)
        }
        refusal = given
      case _: return nil
      }
      guard hasReasons, report != nil || refusal != nil else { return nil }
      if let report {
        guard Output.print(isJSON ? ReportText.json(report) : WhyText(report).lines) else {
          return .failure
        }
      } else if let refusal, isOlder {
        return refused(refusal)
      } else if rows.isEmpty, !isJSON {
        return Output.print("no apps of yours") ? .success : .failure
      }
      return Commands.print(AppReasons.grouped(rows), isJSON: isJSON)
    }
  }

  private static func print(_ apps: [AppReasons], isJSON: Bool) -> ExitStatus {
    apps.allSatisfy { Output.print(isJSON ? $0.json : $0.lines) } ? .success : .failure
  }

  /// The exit status for a refusal of a request about an app.
  static func status(of refusal: ServerMessage.Refusal) -> ExitStatus {
    switch refusal.kind {
    case .appUnknown: .dataDamaged
    case .notPermitted: .notPermitted
    default: .failure
    }
  }

  /// Makes a change, and prints the reason if it fails; at success prints the sentence at a terminal, or one JSON object.
  func change(
    _ request: ConsentRequest, verb: String, isJSON: Bool
  ) throws(Errno) -> ExitStatus {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: "binnacle \(verb)")
    var confirmation = ChangeConfirmation(of: request)
    // The answer of the daemon does not name the app. A script without --json gets no confirmation.
    let isConfirmed = isJSON || Output.isTerminal
    if isConfirmed, confirmation.needsAppsBefore {
      _ = connection.machine.request(.consent(.apps), at: Clock.now)
    }
    _ = connection.machine.request(.consent(request), at: Clock.now)
    var isMade = false
    return try ask(connection) { action in
      switch action {
      case .rows(let rows, let isLast):
        guard confirmation.take(rows, isLast: isLast), isMade else { return nil }
      case .answered(let refusal?):
        complain("\(verb): \(refusal.text)")
        return Commands.status(of: refusal)
      case .answered(nil):
        isMade = true
        if confirmation.needsAppsAfterwards(isConfirmed: isConfirmed) {
          connection.ask(.consent(.apps))
          return nil
        }
      case _: return nil
      }
      if let note = confirmation.note { complain("\(verb): \(PlainText.line(note))") }
      return isConfirmed ? Commands.confirm(confirmation, isJSON: isJSON) : .success
    }
  }

  private static func confirm(_ change: ChangeConfirmation, isJSON: Bool) -> ExitStatus {
    guard isJSON else { return Output.confirm(PlainText.line(change.text)) ? .success : .failure }
    var object = JSONObject()
    if let app = change.app { object.add(ReportKey.rowID.name, app) }
    object.add("done", true)
    object.add(ReportKey.rowText.name, change.text)
    return Output.print(object.text) ? .success : .failure
  }
}
