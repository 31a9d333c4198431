import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

@Suite struct PauseTests {
  private func marbles(dwell seconds: Int64 = 4) -> Marbles {
    Marbles { configuration in
      configuration.motion.dwells.default = .seconds(seconds)
      configuration.motion.dwells.fitness = .seconds(seconds + 4)
    }
  }

  /// Trace 12 of the semantics of live updates.
  @Test func aRestIsReportedOnceWithItsFixAndTheFirstFixAfterItContinues() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRfffffffffMff") == "ffffffs---------fff")
  }

  /// Trace 13.
  @Test func aPositionThatIsLostEndsThePause() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff---------") == "ffffffs------u----")
  }

  @Test func aPositionThatComesBackWhileTheBoardStillRestsPausesAtOnce() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff--------ffff--Mf") == "ffffffs------u---s-----ff")
  }

  /// Trace 5: a board that rests and has never had a fix.
  @Test func nothingPausesBeforeAFirstFixIsJudged() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("r------------") == "-----u-------")
    #expect(marbles.play("ffffffff") == "ffffs---")
  }

  /// Trace 6 beside a pause.
  @Test func lostReceptionInMotionIsNoPause() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("fff-------fR-f") == "fff----u--fs--")
  }

  /// Seed 19503: the dwell was full when the position was lost, while the board drove into a tunnel.
  @Test func noPauseBeginsAtTheMomentAtWhichThePositionIsLost() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffff----r---") == "ffffff----u---")
  }

  @Test func aSequenceHasUpdatesForItsOwnDwellHoweverLongTheBoardHasRested() {
    var marbles = marbles(dwell: 4)
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRfff") == "ffffffs---")
    #expect(marbles.open(2) == "f")
    marbles.rest()
    #expect(marbles.play("fffffff", for: 2) == "ffffs--")
  }

  @Test func eachSequencePausesByTheDwellOfItsConfiguration() {
    var first = marbles()
    #expect(first.open(1) == "")
    #expect(first.open(2, .fitness) == "")
    var second = first
    let strip = "ffRfffffffff"
    #expect(first.play(strip, for: 1) == "ffffs-------")
    #expect(second.play(strip, for: 2) == "ffffffffs---")
  }

  @Test func motionBeforeTheDwellIsOverLeavesNoTrace() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffRMffffff") == "ffffffffff")
  }

  @Test func theFirstFixAfterMotionComesAtAnyPlaceOfTheGrid() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffR") == "ffffffs")
    marbles.step = .milliseconds(100)
    #expect(marbles.play("ffMffffff") == "--f------")
  }

  @Test func aPauseThatEndsWithoutAFixIsReportedLikeEverySilence() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRfffm---------") == "ffffffs--------u----")
  }

  @Test func servicesOffAndOnRestartTheDwell() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    #expect(marbles.setServices(isOn: false) == "?")
    #expect(marbles.play("ff") == "--")
    #expect(marbles.setServices(isOn: true) == "")
    #expect(marbles.play("fffffff") == "ffffs--")
  }

  /// Until the board moves, no record is written: no track, counter, position or navigation database.
  @Test func whileAllPauseNothingIsWritten() {
    var desk = EngineDesk(lastSpeed: 9_600, path: .still) {
      $0.track = TrackSettings(accuracy: .full)
      $0.motion.dwells.default = .seconds(60)
    }
    desk.open()
    desk.run(seconds: 200)
    #expect(desk.updates.last?.flags == .stationary)
    // Waiting records are written within ten minutes.
    desk.run(seconds: 700)
    let commits = desk.commits.count
    let tracks = desk.tracks.commits.count
    #expect(tracks >= 1 && commits >= 1)
    desk.run(seconds: 3_600)
    #expect(desk.commits.count == commits)
    #expect(desk.tracks.commits.count == tracks)
    // The control: a second program that does not pause yet.
    desk.open(.fitness, client: ClientID(number: 2))
    desk.run(seconds: 50)
    desk.run(seconds: 700)
    #expect(desk.tracks.commits.count > tracks)
    #expect(desk.commits.count > commits)
  }
}
