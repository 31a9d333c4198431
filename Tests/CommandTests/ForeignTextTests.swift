import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import LocationEngine
import StateLog
import TestSupport
import Testing

/// Text that a stranger chose reaches no terminal as it is, whatever command shows it.
struct ForeignTextTests {
  private static let sample = ForeignText.sample

  private static var report: Report {
    var report = Report()
    for name in [
      "receiver.state", "receiver.device", "receiver.name", "power.state", "power.cause",
      "power.stays_on", "power.user_1.who", "power.user_1.what", "power.next_fix",
      "power.last_wake", "accelerometer.fault", "rest.1.accelerometer", "rest.1.sources",
      "rest.1.ended_by", "clients.4.program", "clients.4.sequence.1", "clients.4.sequence.1.pause",
      sample,
    ] { report.add(name, .text(sample)) }
    report.add("power.user_1.for_s", .number(61))
    report.add("rest.1.dwell_s", .number(60))
    report.add("rest.1.ended_ago_s", .number(60))
    report.add("clients.4.sequence.1.dwell_s", .number(60))
    report.add("writes.now.commits", .integer(1))
    return report
  }

  @Test(arguments: [
    ["binnacle", "track", "-o"], ["binnacle-sim", "play", "--seed"], ["binnacled", "--runtime"],
    ["binnacle-launch", "--runtime"],
  ])
  func aWordThatIsNotUTF8IsRefused(_ words: [String]) throws {
    let directory = try TemporaryDirectory()
    let command: [String] = [Programs.path(words[0])] + words.dropFirst()
    let outcome = try ChildProcess.run(
      "bash", ["-c", "exec \"$@\" $'\(directory("caf"))\\xe9.gpx'", "bash"] + command)
    #expect(outcome.ending == .exited(64))
    #expect(outcome.errorText.contains(".gpx' is not UTF-8"), "\(outcome.errorText)")
    #expect(try Files.list(directory.path) == [])
  }

  private func expectPlain(_ text: String, lineCount: Int? = nil) {
    #expect(ForeignText.remains(in: text) == [], "\(text)")
    // The sample's line feed would let it forge a line.
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("<0>") }, "\(text)")
    if let lineCount { #expect(text.split(separator: "\n").count == lineCount, "\(text)") }
  }

  /// The output of a command for an answer to its only request.
  private func answered(
    _ words: [String], version: UInt16 = 2, _ answer: (ClientMessage) -> ServerMessage?
  ) throws -> (output: String, complaint: String) {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(words)
    try daemon.welcome(version: version)
    let message = try #require(try daemon.hear())
    try daemon.say(try #require(answer(message)))
    let (_, output, complaint) = try child.finish()
    return (output, complaint)
  }

  @Test(arguments: ["status", "power", "why"])
  func aReportIsPlain(command: String) throws {
    let (output, _) = try answered([command]) { message in
      guard case .request(let request, .status) = message else { return nil }
      return .status(request: request, ForeignTextTests.report)
    }
    #expect(output.contains("<0>b"))
    expectPlain(output)
  }

  @Test(arguments: ["status", "power", "why"])
  func aReportAsAnObjectIsOneLineWithEscapes(command: String) throws {
    let (output, _) = try answered([command, "--json"]) { message in
      guard case .request(let request, .status) = message else { return nil }
      return .status(request: request, ForeignTextTests.report)
    }
    #expect(
      output.contains(
        #"a\u001b[2J\u009b31m\u0007\u0008\u007f\u0085\r\n<0>b\u202ec\u2066d\u200fe\u200bf\u2028g\ufeffh\u00adi\udb40\udc41z"#
      ), "\(output)")
    expectPlain(output, lineCount: 1)
  }

  /// The lists, with foreign text in each value that is a text.
  static let lists: [(words: [String], keys: [ReportCatalog.Entry])] = [
    (["apps"], RowCatalog.apps), (["grants"], RowCatalog.grants),
    (["prompts"], RowCatalog.prompts), (["who"], RowCatalog.who), (["audit"], RowCatalog.audit),
    (["why", "org.example.a"], RowCatalog.why), (["settings"], RowCatalog.settings),
    (["log"], RowCatalog.log),
  ]

  @Test(arguments: lists)
  func aListIsPlain(_ list: (words: [String], keys: [ReportCatalog.Entry])) throws {
    for isJSON in [false, true] {
      var row = Report()
      for key in list.keys where key.typeName == "text" {
        // The program looks for the app by its identity.
        let isSought = list.words.count > 1 && key.name == "id"
        row.add(key.name, .text(isSought ? list.words[1] : ForeignTextTests.sample))
      }
      // A key that only a newer daemon has.
      row.add(ForeignTextTests.sample, .text(ForeignTextTests.sample))
      let (output, complaint) = try answered(
        list.words + (isJSON ? ["--json"] : []), version: WireLimits.versionMax
      ) { message in
        guard case .request(let request, _) = message else { return nil }
        return .rows(request: request, isLast: true, [row])
      }
      #expect(output.contains("<0>b"), "\(output) \(complaint)")
      expectPlain(output + complaint, lineCount: isJSON ? 1 : nil)
    }
  }

  @Test func aFindingOfTheDoctorIsPlain() throws {
    for words in [["doctor"], ["doctor", "--json"]] {
      let (output, _) = try answered(words + ["--receiver", "/dev/\(ForeignTextTests.sample)"]) {
        guard case .request(let request, .status) = $0 else { return nil }
        return .status(request: request, ForeignTextTests.report)
      }
      #expect(output.contains("<0>b"))
      expectPlain(output)
    }
  }

  @Test func aRefusalIsPlain() throws {
    let refusal = ServerMessage.Refusal(.notPermitted, ForeignTextTests.sample)
    for words in [
      ["status"], ["trace", "-o", "/dev/null"], ["services", "on"], ["state", "show"],
    ] {
      let (_, complaint) = try answered(words) { _ in .refused(refusal, isFinal: true) }
      #expect(complaint.contains("<0>b"), "\(words)")
      expectPlain(complaint, lineCount: 1)
    }
  }

  @Test func anAnswerThatRefusesItIsPlain() throws {
    let refusal = ServerMessage.Refusal(.notKept, ForeignTextTests.sample)
    let (_, services) = try answered(["services", "off"]) {
      guard case .request(let request, .setServices(_)) = $0 else { return nil }
      return .answered(request: request, refusal)
    }
    expectPlain(services, lineCount: 1)
    let (_, erasing) = try answered(["state", "erase", "fix"]) {
      guard case .request(let request, .state(_)) = $0 else { return nil }
      return .answered(request: request, refusal)
    }
    #expect(erasing.contains("<0>b"))
    expectPlain(erasing, lineCount: 1)
  }

  @Test func theEndOfUpdatesIsPlain() throws {
    let refusal = ServerMessage.Refusal(.sequencesTooMany, ForeignTextTests.sample)
    let (_, complaint) = try answered(["watch"]) {
      guard case .openUpdates(let sequence, _) = $0 else { return nil }
      return .updatesEnded(sequence, refusal)
    }
    #expect(complaint.contains("<0>b"))
    expectPlain(complaint, lineCount: 1)
  }

  @Test func aTableOfWritesIsPlain() throws {
    for words in [["writes"], ["writes", "--json"]] {
      let (output, _) = try answered(words) {
        guard case .request(let request, .state(_)) = $0 else { return nil }
        return .writes(request: request, ForeignTextTests.report)
      }
      #expect(!output.isEmpty)
      expectPlain(output)
    }
  }

  @Test func aListOfRecordsIsPlain() throws {
    var records = RecordSet()
    let key = "org.example.a\0\u{202E}\u{9B}m\u{200B}"
    let name = try #require(RecordTable.appDefaults.named(Array(key.utf8)))
    records.apply(Change(name, .put([1], isCautious: true)))
    for words in [["state", "show"], ["state", "show", "--json"]] {
      let (output, _) = try answered(words) {
        guard case .request(let request, .state(.read)) = $0 else { return nil }
        return .state(request: request, isLast: true, records.encoded)
      }
      #expect(output.contains("app defaults"))
      expectPlain(output, lineCount: 1)
    }
  }

  /// A path, an option or a name of a board that a script hands over from elsewhere.
  @Test(arguments: [
    ["status", "--runtime"], ["decode"], ["doctor", "--"], ["state", "check"], ["press"],
    ["track", "--state"], ["state", "restore"], ["state", "prepare"],
  ])
  func aWordOfTheCommandLineIsPlain(words: [String]) throws {
    var words = words
    if words.last == "--" {
      words[words.count - 1] += ForeignTextTests.sample
    } else {
      words.append("/tmp/" + ForeignTextTests.sample)
    }
    if words.first == "press" { words += ["--runtime", "/tmp/none\u{1B}"] }
    let outcome = try ChildProcess.run(Programs.path("binnacle"), words, limit: .seconds(60))
    #expect(!outcome.errorText.isEmpty)
    expectPlain(outcome.text + outcome.errorText)
  }

  @Test func theDaemonsOwnComplaintsArePlain() throws {
    let directory = try TemporaryDirectory()
    let profile = directory("mine.conf")
    let text = "[Receiver]\nDevice=/dev/x\nRa\u{202E}te\u{9B}=\u{1B}[2J\u{200B}\n"
    try Files.writeAtomically(Array(text.utf8), to: profile)
    for words in [
      ["--check", "--board", profile], ["--check", "--board", "/tmp/\(ForeignTextTests.sample)"],
      ["--\(ForeignTextTests.sample)"],
      ["--check", "--receiver", "/dev/\(ForeignTextTests.sample)", "--runtime", directory.path],
    ] {
      let outcome = try ChildProcess.run(
        Programs.path("binnacled"), words, limit: .seconds(60))
      #expect(!(outcome.text + outcome.errorText).isEmpty)
      expectPlain(outcome.text + outcome.errorText)
    }
  }

  @Test func theSimulatorsComplaintsArePlain() throws {
    for words in [
      ["play", "/tmp/" + ForeignTextTests.sample, "--tty", "/tmp/none"],
      ["motion", "/tmp/" + ForeignTextTests.sample], [ForeignTextTests.sample],
    ] {
      let outcome = try ChildProcess.run(
        Programs.path("binnacle-sim"), words, limit: .seconds(60))
      #expect(!outcome.errorText.isEmpty)
      #expect(ForeignText.remains(in: outcome.text + outcome.errorText) == [])
    }
  }
}
