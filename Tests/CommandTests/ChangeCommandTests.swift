import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// The commands that make a change, such as `binnacle allow`, beside a daemon that follows a script.
struct ChangeCommandTests {
  /// The end of a command that makes a change.
  private struct Outcome {
    /// The request that the daemon got.
    let request: ClientRequest
    let status: ChildProcess.Ending?
    let output: String
    let complaint: String
  }

  /// Makes a change with `--json`, which a daemon answers.
  ///
  /// - Parameters:
  ///   - words: the command.
  ///   - refusal: the refusal of the change; nil: the change is made.
  ///   - lists: the apps before the change, and the apps after it for a command that asks again.
  /// - Returns: the end of the command.
  /// - Throws: a failure of the socket, or a request that does not come.
  private func change(
    _ words: [String], _ refusal: ServerMessage.Refusal?, _ lists: [[Report]] = [[]]
  ) throws -> Outcome {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words + ["--json"])
    try daemon.welcome(version: WireLimits.versionMax)
    func answerWithApps(_ rows: [Report]) throws {
      var number: UInt32?
      if case .request(let request, .consent(.apps)) = try daemon.hear() { number = request }
      let request = try #require(number, "\(words)")
      try daemon.say(.rows(request: request, isLast: true, rows))
    }
    // The apps after an answer show its effect.
    let isAllowance = words[0] == "allow"
    if !isAllowance { try answerWithApps(lists[0]) }
    var number: UInt32?
    var change: ClientRequest?
    if case .request(let request, let subject) = try daemon.hear(), subject.isChange {
      (number, change) = (request, subject)
    }
    try daemon.say(.answered(request: try #require(number, "\(words)"), refusal))
    if refusal == nil {
      for rows in isAllowance ? lists[...] : lists.dropFirst() { try answerWithApps(rows) }
    }
    let (status, output, complaint) = try child.finish()
    return Outcome(
      request: try #require(change), status: status, output: output, complaint: complaint)
  }

  /// The rows of apps, one of which may be in the foreground.
  private static func apps(_ names: [String], inFront front: String? = nil) -> [Report] {
    names.map { name in
      var row = Report()
      row.add(.rowID, name)
      row.add(.rowState, name == front ? "foreground" : "background")
      return row
    }
  }

  /// The words behind `allow org.a`, and the request that they make.
  private static let allowances: [([String], ConsentRequest)] = [
    ([], .allow(app: "org.a", nil)),
    (["whenInUse"], .allow(app: "org.a", .whenInUse)),
    (["always"], .allow(app: "org.a", .always)),
    (["reduced"], .allow(app: "org.a", nil, isReduced: true)),
    (["full"], .allow(app: "org.a", nil, isReduced: false)),
    (["whenInUse", "reduced"], .allow(app: "org.a", .whenInUse, isReduced: true)),
    (["always", "full"], .allow(app: "org.a", .always, isReduced: false)),
    (["reduced", "always"], .allow(app: "org.a", .always, isReduced: true)),
  ]

  @Test func theWordsOfAnAnswerAreTheRequestThatIsSent() throws {
    for (words, request) in ChangeCommandTests.allowances {
      let outcome = try change(["allow", "org.a"] + words, nil)
      #expect(outcome.request == .consent(request), "\(words)")
      #expect(outcome.status == .exited(0), "\(words)")
    }
  }

  /// The words of a change, the request that they make, and the members of the printed object.
  private static let changes: [([String], ConsentRequest, String)] = [
    (
      ["allow", "org.a", "always", "reduced"],
      .allow(app: "org.a", .always, isReduced: true),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"allowed: org.a\""
    ),
    (
      ["deny", "org.a"], .deny(app: "org.a"),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"denied: org.a\""
    ),
    (
      ["reset", "org.a"], .reset(app: "org.a"),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"the answer is forgotten: org.a\""
    ),
    (
      ["start", "org.a"], .start(app: "org.a"),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"started: org.a\""
    ),
    (
      ["quit", "org.a"], .quit(app: "org.a"),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"closed: org.a\""
    ),
    (
      ["foreground", "org.a"], .foreground(app: "org.a"),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"in the foreground: org.a\""
    ),
    (
      ["background", "org.a"], .background(app: "org.a"),
      "\"id\":\"org.a\",\"done\":true,\"text\":\"in the background: org.a\""
    ),
  ]

  @Test func aChangeIsOneObjectForPrograms() throws {
    for (words, request, members) in ChangeCommandTests.changes {
      let outcome = try change(words, nil)
      #expect(outcome.request == .consent(request), "\(words)")
      #expect(outcome.status == .exited(0) && outcome.complaint == "", "\(words)")
      #expect(outcome.output == "{\(members)}\n")
    }
  }

  @Test func aShortenedNameIsConfirmedByTheWholeID() throws {
    let apps = Self.apps(["org.test.a", "org.tracker", "org.tracker.map"])
    for (name, id) in [
      ("org.te", "org.test.a"), ("org.tracker", "org.tracker"), ("org.other", "org.other"),
    ] {
      let outcome = try change(["deny", name], nil, [apps])
      #expect(outcome.request == .consent(.deny(app: name)))
      #expect(
        outcome.output == "{\"id\":\"\(id)\",\"done\":true,\"text\":\"denied: \(id)\"}\n")
    }
  }

  @Test func homeNamesTheAppThatComesToTheForegroundOrLeavesIt() throws {
    let names = ["org.a", "1000:/bin/b"]
    let program = Self.apps(names, inFront: "1000:/bin/b")
    let app = Self.apps(names, inFront: "org.a")
    let cases = [
      ([program, app], "\"id\":\"org.a\",\"done\":true,\"text\":\"in the foreground: org.a\""),
      ([app, program], "\"id\":\"org.a\",\"done\":true,\"text\":\"in the background: org.a\""),
      ([program, program], "\"done\":true,\"text\":\"done\""),
    ]
    for (lists, members) in cases {
      let outcome = try change(["home"], nil, lists)
      #expect(outcome.request == .consent(.home))
      #expect(outcome.status == .exited(0) && outcome.complaint == "")
      #expect(outcome.output == "{\(members)}\n")
    }
  }

  @Test func aRefusedChangePrintsNoObject() throws {
    let outcome = try change(["deny", "org.a"], .init(.notPermitted, "it is another user's"))
    #expect(outcome.status == .exited(77) && outcome.output == "")
    #expect(outcome.complaint == "binnacle: deny: it is another user's\n")
  }

  @Test func aNoteSaysThatTheProfileRestrictsTheAllowedApp() throws {
    var row = Self.apps(["org.a"])[0]
    row.add(.rowAuthorization, "restricted")
    let outcome = try change(["allow", "org"], nil, [[row]])
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("\"text\":\"allowed: org.a\""))
    #expect(
      outcome.complaint
        == "binnacle: allow: org.a stays restricted by Restricted= of [Location] in the board's profile\n"
    )
  }

  @Test func aNoteSaysThatTheUserOfAnAllowedReaderDoesNotExist() throws {
    let outcome = try change(["allow", "door.nmea:3999999999"], nil)
    #expect(outcome.status == .exited(0))
    #expect(outcome.complaint.hasPrefix("binnacle: allow: this board has no user 3999999999 now;"))
    #expect(try change(["allow", "door.nmea:0"], nil).complaint == "")
    #expect(try change(["allow", "door.nmea:tty"], nil).complaint == "")
  }
}
