import BinnacleBasics
import BinnacleModel
import LocationEngine
import TestSupport
import Testing
import UBX

/// Recordings on a line without answers: a transmit line alone, or a player.
@Suite struct RecordingTests {
  /// A player on a pseudo-terminal at the pace of 115200 baud.
  private struct Player {
    var engine = Engine(configuration: Configuration(), seed: 1)
    var effects: [Effect] = []
    var now = Instant.zero

    init() {
      send(.started)
      send(.receiver(.opened(.init(kind: .pseudoTerminal, speed: 38_400))))
      send(
        .client(
          ClientID(number: 1),
          .connected(Peer(userID: 0, processID: 1, isOperator: true), program: "test")))
      send(.client(ClientID(number: 1), .updatesOpened(SequenceID(number: 1), .default)))
    }

    mutating func send(_ event: Event) {
      while let due = engine.nextDeadline, due <= now { handle(.deadlineReached, at: due) }
      handle(event, at: now)
    }

    private mutating func handle(_ event: Event, at instant: Instant) {
      let before = effects.count
      engine.handle(event, at: instant, into: &effects)
      for case .receiver(.setSpeed(let speed)) in Array(effects[before...]) {
        handle(.receiver(.speedChanged(speed)), at: instant)
      }
    }

    mutating func play(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        now += .milliseconds(10)
        send(.receiver(.bytesArrived(Array(rest.prefix(115)))))
        rest = rest.dropFirst(115)
      }
    }

    mutating func report() -> Report {
      send(.client(ClientID(number: 1), .requested(1, .status)))
      for case .client(_, .report(_, let report)) in effects.reversed() { return report }
      return Report()
    }
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
    var player = Player()
    player.play(try TestData.bytes("ublox/logs/" + name))
    let report = player.report()
    #expect(report["fixes.accepted"] == .integer(Int64(count)))
  }

  @Test(
    .enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"),
    arguments: ["gpsd-neo-m9n-nmea.log", "navsol-f9t-l2-5min.ubx", "gpsd-zed-f9r.log"])
  func aLineWithoutAnswersIsReadAndReported(name: String) throws {
    var player = Player()
    player.play(try TestData.bytes("ublox/logs/" + name))
    #expect(player.report()["receiver.state"] == .text("reading only, it does not answer"))
    let fixes = player.effects.compactMap { effect -> Fix? in
      guard case .client(_, .deliver(_, let update)) = effect else { return nil }
      return update.fix
    }
    #expect(!fixes.isEmpty)
    // A recording may say who it was, unasked.
    let version = MonVER(
      softwareVersion: "x", hardwareVersion: "000A0000", extensions: ["PROTVER=34.10"])
    player.send(.receiver(.bytesArrived(version.frame)))
    #expect(player.report()["receiver.state"] == .text("reading only, it does not answer"))
    let lines = player.effects.filter {
      if case .log(_, let line) = $0 { line.contains("reading only") } else { false }
    }
    #expect(lines.count == 1)
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
