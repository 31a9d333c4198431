import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

/// The action `mark` of a button as a mark in the track.
@Suite struct TrackMarkTests {
  private static func track(
    _ accuracy: TrackSettings.Accuracy = .full, path: Body.Path = .motorway, sleeps: Bool = true
  ) -> EngineDesk {
    EngineDesk(.m10, lastSpeed: 9_600, path: path) {
      $0.track = TrackSettings(accuracy: accuracy)
      $0.power.sleeps = sleeps
      $0.panel.buttons = [PanelSettings.Button(name: "MARK")]
    }
  }

  /// Ends the updates of the only app, and runs on.
  private static func closeUpdates(_ desk: inout EngineDesk, seconds: Double) {
    desk.send(.client(EngineDesk.client, .updatesClosed(SequenceID(number: 1))))
    desk.run(seconds: seconds)
  }

  /// Whether a mark is within these degrees of a position.
  private static func isNear(
    _ mark: TrackPoint, _ fix: Fix, latitude: Double, longitude: Double
  ) -> Bool {
    (Double(mark.latitudeE7) / 1e7 - fix.latitude).magnitude < latitude
      && (Double(mark.longitudeE7) / 1e7 - fix.longitude).magnitude < longitude
  }

  private static func press(_ desk: inout EngineDesk) {
    desk.send(.line(.button(0), .opened(isActive: false, isDebounced: true)))
    desk.run(seconds: 0.1)
    desk.send(.line(.button(0), .edge(isActive: true, at: desk.now)))
    desk.run(seconds: 0.12)
    desk.send(.line(.button(0), .edge(isActive: false, at: desk.now)))
    desk.run(seconds: 0.05)
    desk.send(.line(.button(0), .read(isActive: false)))
    desk.run(seconds: 0.1)
  }

  private static func marks(_ desk: inout EngineDesk) -> [TrackPoint] {
    desk.send(.stopRequested)
    desk.run(seconds: 5)
    return desk.tracks.points.filter(\.isMark)
  }

  @Test func aPressMarksThePresentPositionInTheTrack() throws {
    var desk = Self.track()
    desk.open()
    desk.run(seconds: 30)
    Self.press(&desk)
    let fix = try #require(desk.fixes.last)
    desk.run(seconds: 10)
    let marks = Self.marks(&desk)
    let mark = try #require(marks.first)
    #expect(marks.count == 1)
    #expect(TrackTests.agrees(mark, with: fix))
    let age = mark.timeMilliseconds - TrackPoint.milliseconds(fix.time)
    #expect((0...1_500).contains(age))
    #expect(desk.tracks.points.count > 30)
  }

  @Test func withoutAPositionOrWithoutServicesThereIsNoMark() {
    var desk = Self.track()
    Self.press(&desk)
    desk.open()
    desk.run(seconds: 30)
    desk.send(.client(EngineDesk.client, .requested(9, .setServices(isOn: false))))
    desk.run(seconds: 1)
    Self.press(&desk)
    #expect(Self.marks(&desk) == [])
    let beginning = "no mark in the track, because "
    #expect(desk.lines.count { $0.contains(beginning + "the position is not known") } == 1)
    #expect(desk.lines.count { $0.contains(beginning + "location services are off") } == 1)
  }

  @Test func aMarkNeedsNoAppThatGetsLocations() throws {
    var desk = Self.track(sleeps: false)
    desk.open()
    desk.run(seconds: 60)
    Self.closeUpdates(&desk, seconds: 60)
    #expect(desk.engine.need == .noClient)
    let count = desk.tracks.points.count
    Self.press(&desk)
    let last: Fix? = desk.engine.updates.lastFix?.fix
    let fix = try #require(last)
    let marks = Self.marks(&desk)
    let mark = try #require(marks.first)
    #expect(marks.count == 1 && desk.tracks.points.count == count + 1)
    #expect(Self.isNear(mark, fix, latitude: 0.001, longitude: 0.001))
  }

  @Test func aReceiverThatIsOffWithoutAnAppIsTheReasonForNoMark() {
    var desk = Self.track(path: .still)
    desk.open()
    desk.run(seconds: 60)
    Self.closeUpdates(&desk, seconds: 1)
    for _ in 0..<600 where desk.engine.receiver.powerState != .asleep { desk.run(seconds: 1) }
    desk.run(seconds: 10)
    #expect(desk.report()["power.state"] == .text("off"))
    Self.press(&desk)
    #expect(Self.marks(&desk) == [])
    let reason = "no mark in the track, because the receiver is off, since no app wants locations"
    #expect(desk.lines.contains { $0.hasSuffix(reason) })
  }

  @Test func aMarkInAReducedTrackWithoutPointsHasTheCellOfTheBoard() throws {
    var desk = Self.track(.reduced, sleeps: false)
    desk.open()
    desk.run(seconds: 60)
    Self.closeUpdates(&desk, seconds: 1_200)
    Self.press(&desk)
    let last: Fix? = desk.engine.updates.lastFix?.fix
    let fix = try #require(last)
    let marks = Self.marks(&desk)
    let mark = try #require(marks.first)
    let first = try #require(desk.tracks.points.first)
    #expect(marks.count == 1 && mark.horizontalAccuracyCentimeters == 500_000)
    #expect(mark.latitudeE7 != first.latitudeE7 || mark.longitudeE7 != first.longitudeE7)
    #expect(Self.isNear(mark, fix, latitude: 0.03, longitude: 0.05))
  }

  @Test func marksInAReducedTrackShowNoCellBetweenItsPoints() throws {
    var desk = Self.track(.reduced, sleeps: false)
    desk.open()
    desk.run(seconds: 60)
    Self.closeUpdates(&desk, seconds: 1_000)
    Self.press(&desk)
    desk.run(seconds: 600)
    Self.press(&desk)
    let marks = Self.marks(&desk)
    let cells = Set(marks.map(\.latitudeE7)).count + Set(marks.map(\.longitudeE7)).count
    #expect(marks.count == 2 && cells == 2)
  }

  @Test func aMarkAtRestHasThePlaceOfTheBoard() throws {
    var desk = Self.track(path: .still)
    desk.open()
    desk.run(seconds: 400)
    #expect(desk.engine.need == .rest)
    let fix = try #require(desk.fixes.last)
    Self.press(&desk)
    let marks = Self.marks(&desk)
    let mark = try #require(marks.first)
    #expect(marks.count == 1)
    #expect((Double(mark.latitudeE7) / 1e7 - fix.latitude).magnitude < 0.000_1)
    #expect((Double(mark.longitudeE7) / 1e7 - fix.longitude).magnitude < 0.000_1)
  }

  @Test func aMarkInAReducedTrackHasTheCellOfTheLastPoint() throws {
    var desk = Self.track(.reduced)
    desk.open()
    desk.run(seconds: 600)
    Self.press(&desk)
    let marks = Self.marks(&desk)
    let first = try #require(desk.tracks.points.first)
    let mark = try #require(marks.first)
    #expect(marks.count == 1 && mark.horizontalAccuracyCentimeters == 500_000)
    #expect(mark.latitudeE7 == first.latitudeE7 && mark.longitudeE7 == first.longitudeE7)
  }
}
