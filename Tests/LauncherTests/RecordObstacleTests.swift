import BinnacleBasics
import BinnaclePosix
import Glibc
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// Apps whose record cannot be written, as in a full runtime directory.
@Suite(.serialized) struct RecordObstacleTests {
  private static let spin = "while :; do :; done"

  private static func record(of launcher: LauncherUnderTest) -> String {
    launcher.directory("launched/" + launcher.identifier + ".run")
  }

  /// Puts a directory in the place of the record: root cannot write there, either.
  private static func obstruct(_ launcher: LauncherUnderTest) throws {
    try Files.remove(record(of: launcher))
    try Files.makeDirectory(record(of: launcher), mode: 0o700)
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func anAppContinuesWithoutARecord(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest(RecordObstacleTests.spin)
    let app = try launcher.start()
    #expect(try launcher.answer(to: .freeze) == .done)
    try RecordObstacleTests.obstruct(launcher)
    #expect(try launcher.answer(to: .thaw) == .done)
    #expect(launcher.apps.apps.first?.report.isFrozen == false)
    let ticks = processorTicks(of: app.processID)
    #expect(try launcher.runs { processorTicks(of: app.processID) != ticks })
    // Each further attempt fails without another complaint.
    launcher.server.deadlineReached(at: Clock.now + .seconds(3_600))
    #expect(launcher.complained.count { $0.contains(".run") } == 1)
    // An app without a record is not frozen: the next launcher would not find it.
    guard case .failed = try launcher.answer(to: .freeze) else {
      Issue.record("the app was frozen without a record")
      return
    }
    #expect(rmdir(RecordObstacleTests.record(of: launcher)) == 0)
    launcher.server.deadlineReached(at: Clock.now + .seconds(7_200))
    #expect(launcher.apps.folder.record(of: launcher.identifier)?.isFrozen == false)
    #expect(try launcher.answer(to: .freeze) == .done)
  }

  @Test(arguments: LauncherUnderTest.kinds)
  func aFrozenAppIsEndedWithoutARecord(hasGroups: Bool) throws {
    let launcher = try LauncherUnderTest(hasGroups: hasGroups)
    try launcher.writeManifest("trap \"exit 5\" TERM; echo ready; \(RecordObstacleTests.spin)")
    _ = try launcher.start()
    #expect(try launcher.runs { launcher.output == ["ready"] })
    #expect(try launcher.answer(to: .freeze) == .done)
    try RecordObstacleTests.obstruct(launcher)
    #expect(try launcher.answer(to: .end) == .done)
    #expect(try launcher.ending() == .exited(status: 5))
  }
}
