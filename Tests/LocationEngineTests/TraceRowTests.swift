import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The rows of live updates (Docs/SOURCES.md, L1) that are about rest and a lost position, by number.
@Suite struct TraceRowTests {
  private static func marbles() -> Marbles {
    Marbles { $0.motion.dwells.default = .seconds(4) }
  }

  private static func playing(_ strip: String) -> String {
    var marbles = TraceRowTests.marbles()
    return marbles.open(1) + marbles.play(strip)
  }

  // MARK: Row 5: no fix yet

  @Test func row5AColdStartIsReportedOnceAfterFiveSecondsThenLocations() {
    #expect(TraceRowTests.playing("------------fff") == "-----u------fff")
  }

  @Test func row5AStartThatTakesLessIsNotReported() {
    #expect(TraceRowTests.playing("----fff") == "----fff")
  }

  @Test func row5ABoardThatRestsDuringAColdStartIsNotCalledStationaryBeforeItsDwell() {
    #expect(TraceRowTests.playing("r-------fffffff") == "-----u--ffffs--")
  }

  // MARK: Row 6: the sky is lost

  @Test func row6ASkyThatIsLostIsReportedOnceUntilItIsBack() {
    #expect(TraceRowTests.playing("fff---------fff") == "fff----u----fff")
  }

  @Test func row6EachLossIsReportedOnce() {
    #expect(TraceRowTests.playing("ff--------ff--------ff") == "ff----u---ff----u---ff")
  }

  @Test func row6AShortGapIsNotReportedAndEndsNoPause() {
    #expect(TraceRowTests.playing("fff---fff") == "fff---fff")
    #expect(TraceRowTests.playing("ffffffRff---ff") == "ffffffs-------")
  }

  // MARK: Row 12: stationary

  @Test func row12ARestIsReportedOnceWithALocationThenSilenceThenLocations() {
    #expect(TraceRowTests.playing("ffffffRfffffffffMff") == "ffffffs---------fff")
  }

  @Test func row12HoursOfRestAreSilence() {
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffR") == "ffffffs")
    let hours = String(repeating: "f", count: 7_200)
    #expect(marbles.play(hours) == String(repeating: "-", count: 7_200))
    #expect(marbles.play("Mf") == "ff")
  }

  @Test func row12EachRestIsReported() {
    #expect(TraceRowTests.playing("ffffffRffMffRffMf") == "ffffffs--fffs--ff")
  }

  @Test func row12TheFirstUpdateAfterMotionIsAFixEvenIfThatIsLate() {
    #expect(TraceRowTests.playing("ffffffRffm---ff") == "ffffffs------ff")
  }

  // MARK: Row 13: stationary, then the antenna is unplugged

  @Test func row13APositionThatIsLostInAPauseIsReportedAndEndsIt() {
    #expect(TraceRowTests.playing("ffffffRff---------") == "ffffffs------u----")
  }

  @Test func row13WhenItIsBackARestIsReportedAgainAndMotionIsLocations() {
    #expect(TraceRowTests.playing("ffffffRff--------fff") == "ffffffs------u---s--")
    #expect(TraceRowTests.playing("ffffffRff-------Mff") == "ffffffs------u--fff")
  }

  /// The position is unknown while the receiver sleeps; the time counts from its wake-up.
  @Test func row13AReceiverThatSleepsLosesNothing() {
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    marbles.engine.updates.holdPauses(true, at: marbles.now)
    #expect(marbles.play("--------------------") == "--------------------")
    marbles.engine.updates.holdPauses(false, at: marbles.now)
    #expect(marbles.play("----------") == "-----u----")
  }

  // MARK: Rows 12 and 13 for an app that comes back

  private static func takenUp(_ strip: String, after: String, awaySeconds: Int64 = 3) -> String {
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play(strip) == after)
    marbles.leave()
    marbles.now += .seconds(awaySeconds)
    return marbles.comeBack(isResting: strip.contains("R"))
  }

  @Test func row12APauseIsReportedAgainToTheProcessThatTakesItUp() {
    #expect(TraceRowTests.takenUp("ffffffRff", after: "ffffffs--") == "s")
  }

  @Test func row12AProcessThatResumesMovingUpdatesGetsAFreshLocation() {
    #expect(TraceRowTests.takenUp("ffff", after: "ffff", awaySeconds: 1) == "f")
    #expect(TraceRowTests.takenUp("ffff", after: "ffff", awaySeconds: 3) == "")
  }

  @Test func row12MotionWhileTheAppIsAwayIsLocations() {
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    marbles.leave()
    #expect(marbles.play("ff") == "--")
    #expect(marbles.comeBack(isResting: false) == "")
    #expect(marbles.play("fff") == "fff")
  }

  @Test func row13AnAppThatComesBackAfterThePositionWasLostGetsNoOldLocation() {
    #expect(TraceRowTests.takenUp("ffffffRff", after: "ffffffs--", awaySeconds: 6) == "")
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    marbles.leave()
    marbles.now += .seconds(6)
    #expect(marbles.comeBack(isResting: true) == "")
    #expect(marbles.play("--f") == "--s")
  }

  /// While the receiver sleeps the last location stays the location, however old it is.
  @Test func row12APauseOfASleepingReceiverIsReportedAgainWithItsOldLocation() {
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    marbles.engine.updates.holdPauses(true, at: marbles.now)
    marbles.leave()
    marbles.now += .seconds(9)
    #expect(marbles.comeBack(isResting: true) == "s")
  }

  @Test func row13AnAppThatComesBackWithoutAPositionIsInformed() {
    var marbles = TraceRowTests.marbles()
    #expect(marbles.open(1) == "")
    #expect(marbles.play("ffffffRff") == "ffffffs--")
    marbles.leave()
    #expect(marbles.play("---") == "---")
    #expect(marbles.comeBack(isResting: false) == "")
    #expect(marbles.play("----------") == "-----u----")
  }
}
