import BinnacleBasics
import BinnaclePosix
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// Apps that a launcher starts, freezes and ends, by control groups and by sessions.
@Suite(.serialized) struct LaunchedAppsTests {
  private static let spin = "while :; do :; done"

  @Test(arguments: LauncherUnderTest.kinds)
  func anAppIsStartedAndItsStatusIsReported(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("exit 3")
    let app = try launcher.start()
    #expect(app.identifier == launcher.identifier && !app.isFrozen)
    #expect((app.group == .session) == !hasGroups)
    #expect(try launcher.ending() == .exited(status: 3))
    #expect(launcher.apps.apps.isEmpty)
    #expect(try Files.list(launcher.directory("launched")).isEmpty)
    if hasGroups {
      let place = try ControlGroupPlace()
      #expect(!Files.exists(place.directory + "/app-" + launcher.identifier))
    }
  }

  /// A program that connects to the daemon before would be unknown as the app.
  @Test func aProgramRunsAfterTheDaemonWasSentThatTheAppRuns() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    try launcher.writeManifest("echo ran")
    let ticket = LaunchTicket(connection: 1, request: 77)
    launcher.apps.take(
      .start(isForLocation: false), about: launcher.identifier, ticket, at: Clock.now)
    let app = try #require(launcher.apps.apps.first)
    let outcomes = launcher.apps.takeOutcomes()
    #expect(outcomes == [.news(.running(app.report)), .run(launcher.identifier)])
    guard case .starting(let start) = app.phase else {
      Issue.record("the app is in the phase \(app.phase)")
      return
    }
    let started = try start.child.start()
    #expect(started == nil)
    launcher.apps.run(launcher.identifier)
    #expect(try launcher.ending() == .exited(status: 0))
  }

  @Test func anAppHasTheEnvironmentOfItsUserAndNothingElseOfTheLauncher() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    try launcher.writeManifest(
      "env | sort; echo umask $(umask); echo in $(pwd); echo open:; ls /proc/$$/fd; "
        + "grep -E \"^Cap(Inh|Amb)|^SigIgn\" /proc/$$/status; cat; echo eof")
    _ = try launcher.start(isForLocation: true)
    let output = try launcher.outputUntilEnd()
    let user = try #require(Users.entry(of: "\(Environment.userID)"))
    let variables = output.filter { $0.contains("=") && !$0.hasPrefix("_=") }
      .filter { !["PWD", "SHLVL", "OLDPWD"].contains($0.prefix { $0 != "=" }) }
    #expect(
      variables.map { String($0.prefix { $0 != "=" }) } == [
        "BINNACLE_LAUNCHED", "BINNACLE_RUNTIME", "HOME", "LANG", "LOGNAME", "PATH", "SHELL", "USER",
      ])
    #expect(variables.contains("BINNACLE_LAUNCHED=location"))
    #expect(variables.contains("BINNACLE_RUNTIME=\(launcher.directory.path)"))
    #expect(variables.contains("HOME=\(user.home)"))
    let place = Files.exists(user.home) ? user.home : "/"
    #expect(output.contains("umask 0022") && output.contains("in \(place)"))
    let listed = try #require(output.firstIndex(of: "open:"))
    #expect(output[(listed + 1)...].prefix { Int($0) != nil } == ["0", "1", "2"])
    #expect(output.contains("CapInh:\t0000000000000000"))
    #expect(output.contains("CapAmb:\t0000000000000000"))
    #expect(output.contains("SigIgn:\t0000000000000000"))
    #expect(output.last == "eof")
  }

  @Test(
    .enabled(if: Environment.userID == 0, "only root may start apps of other users"),
    arguments: LauncherUnderTest.kinds)
  func rootsLauncherStartsAnAppOfAnotherUserWithoutCapabilities(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest(
      "id -u; id -g; id -G; echo $USER; grep -E \"^Cap(Prm|Eff)\" /proc/$$/status", user: "nobody")
    _ = try launcher.start()
    let output = try launcher.outputUntilEnd()
    let user = try #require(Users.entry(of: "nobody"))
    let groups = try user.groups.map { "\($0)" }.joined(separator: " ")
    #expect(
      output == [
        "\(user.userID)", "\(user.groupID)", groups, "nobody", "CapPrm:\t0000000000000000",
        "CapEff:\t0000000000000000",
      ])
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func aFrozenAppStopsWithItsChildrenUntilItIsThawed(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("(\(LaunchedAppsTests.spin)) & \(LaunchedAppsTests.spin)")
    let app = try launcher.start()
    #expect(try launcher.runs { processes(ofSession: app.processID).count == 2 })
    let all = processes(ofSession: app.processID)
    #expect(try launcher.runs { all.allSatisfy { processorTicks(of: $0) ?? 0 > 1 } })
    #expect(try launcher.answer(to: .freeze) == .done)
    let before = all.map { processorTicks(of: $0) }
    useProcessor(for: .milliseconds(200))
    #expect(all.map { processorTicks(of: $0) } == before)
    #expect(launcher.apps.apps.first?.report.isFrozen == true)
    #expect(try launcher.answer(to: .freeze) == .done)
    #expect(try launcher.answer(to: .thaw) == .done)
    #expect(try launcher.runs { all.map { processorTicks(of: $0) } != before })
    #expect(launcher.apps.apps.first?.report.isFrozen == false)
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func aFrozenAppIsKilledWithItsChildren(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("(\(LaunchedAppsTests.spin)) & \(LaunchedAppsTests.spin)")
    let app = try launcher.start()
    #expect(try launcher.runs { processes(ofSession: app.processID).count == 2 })
    #expect(try launcher.answer(to: .freeze) == .done)
    #expect(try launcher.answer(to: .kill) == .done)
    #expect(try launcher.ending() == .killed(signal: 9))
    #expect(try launcher.runs { processes(ofSession: app.processID).isEmpty })
    #expect(try launcher.answer(to: .kill) == .failed(reason: "the app does not run"))
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func theEndOfTheFirstProcessEndsTheOthers(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("(\(LaunchedAppsTests.spin)) & exit 0")
    let app = try launcher.start()
    #expect(try launcher.ending() == .exited(status: 0))
    #expect(try launcher.runs { processes(ofSession: app.processID).isEmpty })
  }

  @Test(
    .enabled(if: LauncherUnderTest.kinds.contains(true), "only root may make control groups"))
  func aProcessThatLeavesTheSessionStaysInTheControlGroup() throws {
    let launcher = try LauncherUnderTest(hasGroups: true)
    try launcher.writeManifest(
      "setsid sh -c \"echo left \\$\\$; \(LaunchedAppsTests.spin)\" & \(LaunchedAppsTests.spin)")
    _ = try launcher.start()
    #expect(try launcher.runs { launcher.output.first?.hasPrefix("left ") == true })
    let left = try #require(launcher.output.first.flatMap { Int32($0.dropFirst(5)) })
    #expect(try launcher.answer(to: .freeze) == .done)
    let before = processorTicks(of: left)
    useProcessor(for: .milliseconds(100))
    #expect(processorTicks(of: left) == before && before != nil)
    #expect(try launcher.answer(to: .kill) == .done)
    #expect(try launcher.ending() == .killed(signal: 9))
    #expect(try launcher.runs { (try? ProcessStatus(of: left)) == nil })
  }

  @Test(
    .enabled(if: LauncherUnderTest.kinds.contains(true), "only root may make control groups"))
  func aFreezeWhoseRecordWaitedForTheDiskHasItsWholeTime() throws {
    let launcher = try LauncherUnderTest(hasGroups: true)
    // More processes than processors: they do not freeze at once.
    let spin = LaunchedAppsTests.spin
    try launcher.writeManifest("(\(spin)) & (\(spin)) & (\(spin)) & (\(spin)) & \(spin)")
    let app = try launcher.start()
    #expect(try launcher.runs { processes(ofSession: app.processID).count == 5 })
    let turn = Clock.now - .seconds(3)
    launcher.apps.take(
      .freeze, about: launcher.identifier, LaunchTicket(connection: 0, request: 0), at: turn)
    launcher.apps.deadlineReached(at: Clock.now)
    #expect(try launcher.runs { launcher.apps.apps.first?.report.isFrozen == true })
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func aFrozenAppThatIsEndedGetsTheSignal(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("trap \"exit 5\" TERM; echo ready; \(LaunchedAppsTests.spin)")
    _ = try launcher.start()
    #expect(try launcher.runs { launcher.output == ["ready"] })
    #expect(try launcher.answer(to: .freeze) == .done)
    #expect(try launcher.answer(to: .end) == .done)
    #expect(try launcher.ending() == .exited(status: 5))
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func aFrozenAppThatContinuesToEndIsReported(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("trap \"\" TERM; echo ready; \(LaunchedAppsTests.spin)")
    let app = try launcher.start()
    #expect(try launcher.runs { launcher.output == ["ready"] })
    #expect(try launcher.answer(to: .freeze) == .done)
    #expect(try launcher.answer(to: .end) == .done)
    #expect(try launcher.next { $0 == .running(app) } != nil)
  }

  /// The daemon that attends now gets no answer about an order of the one before.
  @Test(arguments: LauncherUnderTest.kinds)
  func aStartThatFailsAfterAnotherDaemonAttendsIsReportedAsAnEnd(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest(executable: launcher.directory("missing"))
    launcher.apps.take(
      .start(isForLocation: true), about: launcher.identifier,
      LaunchTicket(connection: 0, request: 7), at: Clock.now)
    #expect(try launcher.next { if case .running = $0 { true } else { false } } != nil)
    #expect(try launcher.ending() == .unknown)
    #expect(launcher.apps.apps.isEmpty)
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func aProgramThatCannotBeRunIsRefusedWithTheReason(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest(executable: launcher.directory("missing"))
    #expect(
      try launcher.answer(to: .start(isForLocation: false))
        == .failed(
          reason: "\(launcher.directory("missing")) does not exist: "
            + "install the program, or correct Executable= in \(launcher.manifestPath)"))
    #expect(launcher.apps.apps.isEmpty)
    #expect(try Files.list(launcher.directory("launched")).isEmpty)
    try launcher.writeManifest("exit 0")
    _ = try launcher.start()
  }

  @Test func anAppThatRunsIsNotStartedAgain() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    try launcher.writeManifest(LaunchedAppsTests.spin)
    _ = try launcher.start()
    #expect(
      try launcher.answer(to: .start(isForLocation: false))
        == .failed(reason: "the app runs already"))
    #expect(launcher.apps.apps.count == 1)
  }

  @Test func anAppWithoutAManifestIsNotStarted() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    #expect(
      try launcher.answer(to: .start(isForLocation: false))
        == .failed(
          reason: "no manifest in \(launcher.directory("etc"))/apps.d has this identifier; "
            + "'binnacled --check' prints the mistakes of manifests"))
    #expect(try launcher.answer(to: .freeze) == .failed(reason: "the app does not run"))
  }

  @Test func anAppOfAnUnknownUserIsNotStarted() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    try launcher.writeManifest("exit 0", user: "no-such-user-here")
    #expect(
      try launcher.answer(to: .start(isForLocation: false))
        == .failed(
          reason: "\(launcher.manifestPath): there is no user no-such-user-here: "
            + "'sudo useradd --system no-such-user-here', or correct User="))
  }

  @Test func aManifestThatOthersCanWriteIsRefused() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    try launcher.writeManifest("exit 0")
    try Files.share(launcher.manifestPath, groupID: nil, mode: 0o666)
    guard
      case .failed(let reason) = try launcher.answer(to: .start(isForLocation: false))
    else {
      Issue.record("the app was started")
      return
    }
    #expect(reason.hasPrefix("\(launcher.manifestPath) can be written to by other users"))
    #expect(reason.hasSuffix("; 'sudo chmod go-w \(launcher.manifestPath)'"))
    try Files.share(launcher.manifestPath, groupID: nil, mode: 0o644)
    try Files.share(launcher.directory("etc/apps.d"), groupID: nil, mode: 0o777)
    guard case .failed = try launcher.answer(to: .start(isForLocation: false)) else {
      Issue.record("the app was started")
      return
    }
    try Files.share(launcher.directory("etc/apps.d"), groupID: nil, mode: 0o755)
    _ = try launcher.start()
  }

  @Test func linesBeyondTheLimitAreCounted() throws {
    let launcher = try LauncherUnderTest(hasGroups: false)
    try launcher.writeManifest("i=0; while [ $i -lt 205 ]; do echo $i; i=$((i + 1)); done")
    _ = try launcher.start()
    let output = try launcher.outputUntilEnd()
    #expect(output == (0..<200).map { "\($0)" } + ["(5 lost)"])
  }

  @Test func outputWaitsForADaemonThatAttends() throws {
    let launcher = try LauncherUnderTest(hasGroups: false, isAttending: false)
    try launcher.writeManifest("echo one; echo two >&2; \(LaunchedAppsTests.spin)")
    #expect(try launcher.answer(to: .start(isForLocation: false)) == .done)
    #expect(
      try launcher.runs { launcher.apps.apps.first?.waitingOutput == [.line("one"), .line("two")] })
    #expect(try launcher.answer(to: .attend) == .done)
    #expect(try launcher.runs { launcher.output == ["one", "two"] })
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func appsAreThawedWhenNoDaemonAttendsForAMinute(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest(LaunchedAppsTests.spin)
    let app = try launcher.start()
    #expect(try launcher.answer(to: .freeze) == .done)
    launcher.server.deadlineReached(at: Clock.now + .seconds(3_600))
    #expect(launcher.apps.apps.first?.freezing == .frozen)
    launcher.server.close(at: Clock.now)
    launcher.server.deadlineReached(at: Clock.now + .seconds(59))
    #expect(launcher.apps.apps.first?.freezing == .frozen)
    let before = processorTicks(of: app.processID)
    launcher.server.deadlineReached(at: Clock.now + .seconds(61))
    #expect(try launcher.runs { processorTicks(of: app.processID) != before })
    #expect(launcher.complained.last?.contains("these apps were thawed") == true)
  }
}
