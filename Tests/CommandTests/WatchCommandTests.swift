import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import TestSupport
import Testing

/// `binnacle watch` beside a daemon that follows a script.
struct WatchCommandTests {
  private static let fix = Fix(
    latitude: 47.3977418, longitude: -8.5, altitude: 488.2, ellipsoidalAltitude: 535.5,
    horizontalAccuracy: 2.134, verticalAccuracy: 3.5, speed: 0.25, speedAccuracy: 0.5,
    time: UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: 250_999_999))

  private func watch(_ words: [String], daemon: ScriptedDaemon) throws -> (
    ChildProcess, SequenceID, LiveConfiguration
  ) {
    let child = try daemon.start(["watch"] + words)
    try daemon.welcome()
    guard case .openUpdates(let sequence, let configuration) = try daemon.hear() else {
      Issue.record("no sequence is opened")
      return (child, SequenceID(number: 0), .default)
    }
    return (child, sequence, configuration)
  }

  /// The lines without the time of arrival, and the times of arrival.
  private func separated(_ output: String) -> (text: String, times: [Int64]) {
    var text = ""
    var times: [Int64] = []
    for line in output.split(separator: "\n") {
      guard let key = line.firstRange(of: ",\"received_monotonic_ns\":") else { continue }
      text += line[..<key.lowerBound] + "}\n"
      if let time = Int64(line[key.upperBound...].dropLast()) { times.append(time) }
    }
    return (text, times)
  }

  @Test func watchPrintsAnObjectForEachUpdateAndEndsAfterItsCount() throws {
    let start = Clock.monotonicNanoseconds
    let daemon = try ScriptedDaemon()
    let (child, sequence, configuration) = try watch(["--json", "--count", "3"], daemon: daemon)
    #expect(configuration == .default)
    let simulated = Update(fix: WatchCommandTests.fix)
    let resting = Update(fix: nil, flags: [.stationary])
    let blind = Update(fix: nil, flags: [.locationUnavailable, .accuracyLimited])
    for update in [simulated, resting, blind, simulated] {
      try daemon.say(.update(sequence, update))
    }
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(complaint == "")
    let (text, times) = separated(output)
    #expect(times.count == 3 && times == times.sorted())
    #expect(times.allSatisfy { $0 > start && $0 < Clock.monotonicNanoseconds })
    #expect(
      text == """
        {"latitude":47.3977418,"longitude":-8.5,"altitude":488.2,"ellipsoidalAltitude":535.5,\
        "horizontalAccuracy":2.134,"verticalAccuracy":3.5,"speed":0.25,"speedAccuracy":0.5,\
        "course":-1.0,"courseAccuracy":-1.0,"timestamp":"2025-11-21T04:40:00.251Z",\
        "stationary":false}
        {"stationary":true}
        {"stationary":false,"locationUnavailable":true,"accuracyLimited":true}

        """)
  }

  @Test(arguments: [
    (Int32(999_600_000), "2025-11-21T04:40:01.000Z"), (250_499_999, "2025-11-21T04:40:00.250Z"),
    (250_500_000, "2025-11-21T04:40:00.251Z"), (0, "2025-11-21T04:40:00.000Z"),
  ])
  func watchRoundsToTheNearestMillisecond(nanoseconds: Int32, timestamp: String) throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json", "--count", "1"], daemon: daemon)
    var fix = WatchCommandTests.fix
    fix.time = UTCTime(secondsSince1970: 1_763_700_000, nanoseconds: Int64(nanoseconds))
    try daemon.say(.update(sequence, Update(fix: fix)))
    #expect(try child.finish().output.contains("\"timestamp\":\"\(timestamp)\""))
  }

  /// Without these messages the daemon keeps the session for the program's return, and the lamp stays lit.
  @Test(arguments: [true, false])
  func aWatchThatEndsClosesItsSessionAndItsUpdates(endsByCount: Bool) throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(
      ["watch", "--app", "org.example.logger", "--background", "--count", "1"])
    try daemon.welcome(version: WireLimits.versionMax)
    var sequences: [SequenceID] = []
    var sessions: [SessionID] = []
    while sequences.isEmpty || sessions.isEmpty {
      switch try #require(try daemon.hear()) {
      case .openUpdates(let id, _): sequences.append(id)
      case .openSession(let id, _): sessions.append(id)
      default: continue
      }
    }
    if endsByCount {
      try daemon.say(.update(sequences[0], Update(fix: WatchCommandTests.fix)))
      #expect(try child.finish().status == .exited(0))
    } else {
      #expect(try child.terminate() == .exited(0))
    }
    while let message = try daemon.hear() {
      switch message {
      case .closeUpdates(let id): sequences.removeAll { $0 == id }
      case .closeSession(let id): sessions.removeAll { $0 == id }
      default: continue
      }
    }
    #expect(sequences.isEmpty && sessions.isEmpty)
  }

  @Test func aWatchWhoseReaderHasLeftClosesItsSessionAndSaysNothing() throws {
    let daemon = try ScriptedDaemon()
    let words = "watch --json --app org.example.logger --background"
    let child = try ChildProcess(
      "/bin/sh",
      [
        "-c",
        "'\(Programs.path("binnacle"))' \(words) --runtime '\(daemon.directory.path)' | head -n 1",
      ], output: .pipe, errorOutput: .pipe)
    try daemon.welcome(version: WireLimits.versionMax)
    var sequence: SequenceID?
    while sequence == nil {
      if case .openUpdates(let id, _) = try #require(try daemon.hear()) { sequence = id }
    }
    let update = ServerMessage.update(try #require(sequence), Update(fix: WatchCommandTests.fix))
    // The reader leaves after the first line.
    for _ in 0..<600 where try child.wait(limit: .milliseconds(100)) == nil {
      try daemon.say(update)
    }
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(output.split(separator: "\n").count == 1)
    #expect(complaint == "")
    var closed = 0
    while let message = try daemon.hear() {
      if case .closeSession = message { closed += 1 }
    }
    #expect(closed == 1)
  }

  @Test(arguments: [true, false]) func aHangUpEndsAWatchUnlessItIsIgnored(isIgnored: Bool) throws {
    let daemon = try ScriptedDaemon()
    let words = ["watch", "--json", "--count", "1", "--runtime", daemon.directory.path]
    let option = isIgnored ? "--ignore-signal=HUP" : "--default-signal=HUP"
    let child = try ChildProcess(
      "env", [option, Programs.path("binnacle")] + words, output: .pipe, errorOutput: .pipe)
    try daemon.welcome()
    guard case .openUpdates(let sequence, _) = try daemon.hear() else {
      Issue.record("no sequence is opened")
      return
    }
    child.signal(.hangUp)
    if !isIgnored {
      // The signal comes before the update, because the command has ended.
      #expect(try child.finish().output == "")
    } else {
      try daemon.say(.update(sequence, Update(fix: WatchCommandTests.fix)))
      #expect(try child.finish().output.contains("latitude"))
    }
  }

  @Test func watchPrintsALineForAPerson() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, configuration) = try watch(
      ["--configuration", "airborne", "--count", "2"], daemon: daemon)
    #expect(configuration == .airborne)
    try daemon.say(.update(sequence, Update(fix: WatchCommandTests.fix)))
    try daemon.say(.update(sequence, Update(fix: nil, flags: .locationUnavailable)))
    #expect(
      try child.finish().output == """
        2025-11-21T04:40:00.251Z  47.3977418, -8.5000000  ±2.1 m  altitude 488.2 ±3.5 m  0.25 m/s
        no location  locationUnavailable

        """)
  }

  @Test func aLineIsThereAsSoonAsItsUpdate() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json"], daemon: daemon)
    try daemon.say(.update(sequence, Update(fix: nil)))
    var chunk = [UInt8](repeating: 0, count: 100)
    var printed: [UInt8] = []
    #expect(
      try eventually {
        if let count = try child.readOutput(into: &chunk) { printed += chunk[..<count] }
        return separated(String(decoding: printed, as: UTF8.self)).text
          == "{\"stationary\":false}\n"
      })
    child.signal(.interrupt)
    #expect(try child.finish().status == .exited(0))
  }

  @Test func watchCanBeEndedWhileItsOutputIsBlocked() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json"], daemon: daemon)
    let update = ServerMessage.update(sequence, Update(fix: WatchCommandTests.fix))
    var total = 0
    var rest = 0
    // Once nothing goes through any more, it waits for its reader.
    #expect(
      try eventually {
        let count = daemon.flood(update)
        total += count
        rest = count == 0 ? rest + 1 : 0
        return total > 200 && rest > 20
      })
    child.signal(.terminate)
    #expect(try child.finish().status == .exited(1))
  }

  @Test func watchComesBackToADaemonThatWentAway() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1", "--timeout", "300"], daemon: daemon)
    daemon.hangUp()
    try daemon.welcomeAgainWithUpdate()
    #expect(try child.finish().status == .exited(0))
  }

  @Test func watchWaitsForTheNextDaemonAfterAnOrderlyStop() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1", "--timeout", "300"], daemon: daemon)
    try daemon.say(.refused(.init(.stopping, "the daemon stops"), isFinal: true))
    try daemon.welcomeAgainWithUpdate()
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(complaint.hasPrefix("binnacle: the daemon stops; waiting for it\n"), "\(complaint)")
  }

  /// A program that waits without a deadline has to learn of the loss from the connection alone.
  @Test func watchNoticesTheLossOfADaemonThatHasServedIt() throws {
    let daemon = try ScriptedDaemon()
    let (child, sequence, _) = try watch(["--json", "--count", "2"], daemon: daemon)
    try daemon.say(.update(sequence, Update(fix: nil)))
    var chunk = [UInt8](repeating: 0, count: 100)
    var printed: [UInt8] = []
    #expect(
      try eventually {
        if let count = try child.readOutput(into: &chunk) { printed += chunk[..<count] }
        return separated(String(decoding: printed, as: UTF8.self)).text
          == "{\"stationary\":false}\n"
      })
    daemon.hangUp()
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(separated(output).text == "{\"stationary\":false,\"locationUnavailable\":true}\n")
    #expect(complaint.contains("waiting for it"))
  }

  @Test func watchReportsThatTheDaemonIsGone() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1", "--timeout", "300"], daemon: daemon)
    daemon.hangUp()
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(separated(output).text == "{\"stationary\":false,\"locationUnavailable\":true}\n")
    #expect(complaint.contains("waiting for it"))
  }

  @Test func watchSurvivesGarbageFromTheDaemon() throws {
    let daemon = try ScriptedDaemon()
    let (child, _, _) = try watch(["--json", "--count", "1"], daemon: daemon)
    try daemon.say([131, 1, 2, 3])
    try daemon.welcomeAgainWithUpdate()
    #expect(try child.finish().status == .exited(0))
  }

  @Test func watchEndsQuietlyWhenItsOutputIsClosed() throws {
    let daemon = try ScriptedDaemon()
    let child = try ChildProcess(
      "/bin/sh",
      [
        "-c", "\"$@\" | head -n 1", "sh", Programs.path("binnacle"), "watch", "--json", "--runtime",
        daemon.directory.path,
      ], output: .pipe, errorOutput: .pipe)
    try daemon.welcome()
    guard case .openUpdates(let sequence, _) = try daemon.hear() else {
      Issue.record("the daemon is not asked for updates")
      return
    }
    // The command notices the closed output with the second line.
    let hasEnded = try eventually {
      try daemon.say(.update(sequence, Update(fix: nil)))
      return try child.wait(limit: .milliseconds(5)) != nil
    }
    #expect(hasEnded)
    let (status, output, complaint) = try child.finish()
    #expect(status == .exited(0))
    #expect(separated(output).text == "{\"stationary\":false}\n")
    #expect(complaint == "")
  }

  @Test func withoutADaemonWatchWaitsUntilItIsInterrupted() throws {
    let nowhere = try TemporaryDirectory().path + "/nowhere"
    let child = try ChildProcess(
      Programs.path("binnacle"), ["watch", "--runtime", nowhere], output: .pipe,
      errorOutput: .pipe)
    #expect(
      try eventually {
        let status = try Files.read("/proc/\(child.processID)/status")
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let caught = lines.first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
        // A bit for each signal that is caught; SIGINT is number 2, so the second.
        return caught.flatMap { UInt64($0, radix: 16) }.map { $0 & 2 != 0 } == true
      })
    child.signal(.interrupt)
    #expect(try child.finish().status == .exited(0))
  }

  // MARK: Roles

  @Test(arguments: [
    (["--operator"], ClientRole.operator), (["--app", "org.example.a"], .script("org.example.a")),
  ])
  func watchGreetsInItsRole(_ words: [String], _ role: ClientRole) throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(["watch"] + words)
    #expect(try daemon.greeting().role == role)
    try daemon.say(
      .refused(ServerMessage.Refusal(.notPermitted, "not yours"), isFinal: true))
    let (status, _, complaint) = try child.finish()
    #expect(status == .exited(77))
    #expect(complaint.contains("not yours"))
  }

  @Test func watchHoldsTheSessionsOfItsOptions() throws {
    let daemon = try ScriptedDaemon()
    let child = try daemon.start(
      ["watch", "--app", "org.example.a", "--background", "--service", "always", "--count", "1"])
    try daemon.welcome(version: 7)
    var sessions: [AppSession] = []
    while case .openSession(_, let session) = try daemon.hear() { sessions.append(session) }
    #expect(sessions == [.service(.always), .backgroundActivity])
    _ = try child.terminate()
  }

  @Test(arguments: [
    ["--operator", "--app", "org.example.a"], ["--background"], ["--service", "always"],
    ["--operator", "--background"], ["--app", "org.example.a", "--service", "never"],
  ])
  func rolesThatExcludeEachOtherAreWrongUsage(_ words: [String]) throws {
    let daemon = try ScriptedDaemon()
    let (status, _, _) = try daemon.start(["watch"] + words).finish()
    #expect(status == .exited(64))
  }
}
