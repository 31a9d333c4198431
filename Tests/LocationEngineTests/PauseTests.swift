import Basics
import Model
import Testing

@testable import LocationEngine

@Suite struct PauseTests {
  private func marbles(dwell seconds: Int64 = 4) -> Marbles {
    Marbles { configuration in
      configuration.dwells.default = .seconds(seconds)
      configuration.dwells.fitness = .seconds(seconds + 4)
    }
  }

  /// Trace 12 of the semantics of live updates.
  @Test func aRestIsToldOnceWithItsFixAndTheFirstFixAfterItGoesOn() {
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
  @Test func aSkyThatIsLostInMotionIsNoPause() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("fff-------fR-f") == "fff----u--fs--")
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

  @Test func aPauseThatEndsWithoutAFixIsToldLikeEverySilence() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRfffm---------") == "ffffffs--------u----")
  }

  @Test func switchingServicesOffAndOnBeginsAnew() {
    var marbles = marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    #expect(marbles.setServices(isOn: false) == "?")
    #expect(marbles.play("ff") == "--")
    #expect(marbles.setServices(isOn: true) == "")
    #expect(marbles.play("fffffff") == "ffffs--")
  }
}
