import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// Reduced accuracy: a stable cell, delivered at most every 15 minutes, without speed, course and altitude.
@Suite struct CoarsePlaceTests {
  private static func fix(_ latitude: Double, _ longitude: Double, at now: Instant = .zero) -> Fix {
    Fix(
      latitude: latitude, longitude: longitude, altitude: 400, ellipsoidalAltitude: 450,
      horizontalAccuracy: 3, verticalAccuracy: 4, speed: 9, speedAccuracy: 0.1, course: 90,
      courseAccuracy: 1, time: UTCTime(secondsSince1970: 1_790_000_000) + (now - .zero))
  }

  private static func meters(_ one: Fix, _ other: Fix) -> Double {
    let north = (one.latitude - other.latitude) * 111_195
    let east =
      (one.longitude - other.longitude).remainder(dividingBy: 360) * 111_195
      * cosine(degrees: one.latitude)
    return (north * north + east * east).squareRoot()
  }

  @Test func theCenterIsAtMostHalfADiagonalAwayEverywhere() {
    for latitude in stride(from: -90.0, through: 90, by: 1.7) {
      for longitude in stride(from: -180.0, through: 180, by: 7.3) {
        var place = CoarsePlace()
        let exact = CoarsePlaceTests.fix(latitude, longitude)
        let coarse = place.fix(of: exact, at: .zero)
        #expect(CoarsePlaceTests.meters(coarse, exact) < 3_700, "\(latitude), \(longitude)")
        #expect((-90...90).contains(coarse.latitude) && (-180...180).contains(coarse.longitude))
        #expect(coarse.horizontalAccuracy == 5_000)
        #expect(
          coarse.speed < 0 && coarse.course < 0 && coarse.verticalAccuracy < 0
            && coarse.altitude == 0 && coarse.ellipsoidalAltitude == 0)
      }
    }
  }

  @Test func allPositionsOfACellHaveOneCenter() {
    var centers: [Fix] = []
    for step in 0..<50 {
      var place = CoarsePlace()
      let exact = CoarsePlaceTests.fix(47.2951 + Double(step) * 0.0008, 8.5)
      centers.append(place.fix(of: exact, at: .zero))
    }
    #expect(Set(centers.map(\.latitude)).count == 1)
    #expect(Set(centers.map(\.longitude)).count == 1)
  }

  @Test func aNewCenterIsMadeAtMostEveryQuarterOfAnHour() {
    var place = CoarsePlace()
    let first = place.fix(of: CoarsePlaceTests.fix(47.3, 8.5), at: .zero)
    let early = Instant.zero + .seconds(899)
    #expect(place.fix(of: CoarsePlaceTests.fix(48, 9, at: early), at: early) == first)
    let due = Instant.zero + .seconds(900)
    let second = place.fix(of: CoarsePlaceTests.fix(48, 9, at: due), at: due)
    #expect(second.latitude != first.latitude)
    #expect(second.time == CoarsePlaceTests.fix(48, 9, at: due).time)
  }

  /// A day of driving across a border of the grid and back, within 400 m of the border.
  @Test func aDayBesideABorderShowsOneCell() {
    var place = CoarsePlace()
    let border = 1_052 * 0.045
    var centers: Set<Double> = []
    for minute in 0..<1_440 {
      let now = Instant.zero + .seconds(Int64(minute) * 60)
      let north = Double(minute % 8 - 4) * 0.0009
      centers.insert(
        place.fix(of: CoarsePlaceTests.fix(border + north, 8.5, at: now), at: now).latitude)
    }
    #expect(centers.count == 1)
    // The best estimate is the center: half a cell away from the board.
    #expect(abs((centers.first ?? 0) - border) * 111_195 > 2_000)
  }

  // MARK: Deliveries

  @Test func row7AnAppWithReducedAccuracyGetsACoarsePlaceEveryQuarterOfAnHour() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: true))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    for _ in 0..<1_810 { desk.fix() }
    #expect(desk.seen(app) == "lll")
    #expect(desk.places(app).allSatisfy { $0.horizontalAccuracy == 5_000 && $0.speed < 0 })
  }

  @Test func aSequenceThatWantsTheApproximateLocationGetsItBesideAnExactOne() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .whenInUse))
    let rough = desk.start(ConsentDesk.tracker, hasTerminal: true)
    let opening = Event.Client.updatesOpened(SequenceID(number: 1), .default, .reduced)
    desk.desk.send(.client(rough, opening))
    let exact = desk.run(ConsentDesk.tracker)
    for _ in 0..<905 { desk.fix() }
    #expect(desk.seen(rough) == "ll")
    #expect(desk.places(rough).allSatisfy { $0.horizontalAccuracy == 5_000 && $0.speed < 0 })
    #expect(desk.seen(exact).hasPrefix("fff"))
    // The wish stays when a person limits the app and gives the exact location back.
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: true))
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: false))
    let before = desk.seen(exact).count
    desk.fix()
    #expect(desk.seen(rough) == "ll")
    #expect(desk.seen(exact).count == before + 1)
  }

  @Test func row8FullAccuracyThatIsGivenLaterBringsEveryLocation() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: true))
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    desk.fix()
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: false))
    desk.fix()
    desk.fix()
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: true))
    desk.fix()
    desk.fix()
    #expect(desk.seen(app) == "lffl")
  }

  @Test func anAppThatReturnsWithinTheWindowGetsItsApproximateLocationAndNoFailure() {
    var desk = ConsentDesk()
    desk.request(.allow(app: "org.example.tracker", .whenInUse, isReduced: true))
    let first = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    #expect(desk.seen(first) == "l")
    desk.desk.end(first)
    for _ in 0..<8 { desk.fix() }
    let second = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(desk.seen(second) == "l")
    desk.fix()
    desk.fix()
    #expect(desk.seen(second) == "l")
  }

  @Test func anAnswerAboutTheAccuracyKeepsTheAuthorizationAndTheReverse() {
    var desk = ConsentDesk()
    func grant() -> [String?] {
      var desk = desk
      let row = desk.rows(.grants).first
      return [row?[.rowAuthorization], row?[.rowAccuracy]]
    }
    desk.request(.allow(app: "org.example.tracker", .always, isReduced: false))
    #expect(grant() == ["always", "full"])
    desk.request(.allow(app: "org.example.tracker", nil, isReduced: true))
    #expect(grant() == ["always", "reduced"])
    desk.request(.allow(app: "org.example.tracker", .whenInUse))
    #expect(grant() == ["when_in_use", "reduced"])
    desk.request(.deny(app: "org.example.tracker"))
    desk.request(.allow(app: "org.example.tracker", nil))
    #expect(grant() == ["when_in_use", "full"])
  }

  @Test func theManifestDecidesTheAccuracyOfAPlainAnswer() {
    var desk = ConsentDesk { $0.apps[0].isAccuracyReduced = true }
    let app = desk.run(ConsentDesk.tracker, hasTerminal: true)
    #expect(desk.rows(.prompts).first?[.rowText]?.contains("your approximate location") == true)
    desk.request(.allow(app: "org.example.tracker", nil))
    desk.fix()
    #expect(desk.seen(app) == "pl")
    desk.cutPower()
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["reduced"])
    desk.request(.allow(app: "org.example.tracker", nil, isReduced: false))
    #expect(desk.rows(.grants).map { $0[.rowAccuracy] } == ["full"])
  }

  @Test func aSecondAppGetsTheSamePlaceAtOnce() {
    var desk = ConsentDesk()
    for name in ["tracker", "map"] {
      desk.request(.allow(app: "org.example.\(name)", .whenInUse, isReduced: true))
    }
    let first = desk.run(ConsentDesk.tracker, hasTerminal: true)
    desk.fix()
    desk.request(.home)
    _ = desk.start(ConsentDesk.map)
    desk.request(.foreground(app: "org.example.map"))
    let second = desk.run(ConsentDesk.map)
    desk.fix()
    #expect(desk.places(second) == desk.places(first))
  }
}
