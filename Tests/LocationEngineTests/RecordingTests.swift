import BinnacleBasics
import BinnacleModel
import LocationEngine
import TestSupport
import Testing
import UBX

/// Recordings on a line without answers: a transmit line alone, or a player.
@Suite struct RecordingTests {
  /// A player on a pseudo-terminal at the pace of 115200 baud.
  private static func played(_ name: String) throws -> UnansweredLine {
    var line = UnansweredLine(.pseudoTerminal)
    line.play(
      try TestData.bytes("ublox/logs/" + name), each: 115, in: .milliseconds(10))
    return line
  }

  /// The number of fixes equals that of the reference decode.
  ///
  /// The reference decode counts epochs with gnssFixOK, fix type 2 to 4 and a resolved time.
  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: [
      ("gnssvis-coldstart.ubx", 120), ("gpsd-m10-spg510-glo.log", 16),
      ("gpsd-navisys-gr8013.log", 35), ("gpsd-neo-m8p.log", 59), ("gpsd-zed-f9p-hp.log", 29),
      ("gpsd-zed-f9r.log", 30), ("navsol-f9t-l2-5min.ubx", 299), ("gpsd-lea-m8f.log", 0),
    ])
  func everyQualifiedSolutionOfARecordingBecomesAFix(name: String, count: Int) throws {
    var player = try Self.played(name)
    let report = player.report()
    #expect(report["fixes.accepted"] == .integer(Int64(count)))
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: ["gpsd-neo-m9n-nmea.log", "navsol-f9t-l2-5min.ubx", "gpsd-zed-f9r.log"])
  func aLineWithoutAnswersIsReadAndReported(name: String) throws {
    var player = try Self.played(name)
    #expect(player.report()["receiver.state"] == .text("reading only, it does not answer"))
    #expect(!player.fixes.isEmpty)
    // A recording may say who it was, unasked.
    let version = MonVER(
      softwareVersion: "x", hardwareVersion: "000A0000", extensions: ["PROTVER=34.10"])
    player.send(.receiver(.bytesArrived(version.frame)))
    #expect(player.report()["receiver.state"] == .text("reading only, it does not answer"))
    #expect(player.lines.count { $0.contains("it is read, but not configured") } == 1)
    // The question comes once a minute, and an answer to it is one.
    let before = player.effects.count
    func isAsked() -> Bool {
      player.effects[before...].contains { if case .receiver(.write) = $0 { true } else { false } }
    }
    for _ in 0..<70 where !isAsked() {
      player.now += .seconds(1)
      player.send(.receiver(.bytesArrived(NavSTATUS().frame)))
    }
    player.send(.receiver(.bytesArrived(version.frame)))
    #expect(player.report()["receiver.state"] == .text("configuring"))
  }
}
