import Accelerometers
import BinnacleBasics
import Gzip
import Simulation
import TestSupport
import Testing

/// Simulated bodies shake as recorded ones do, as far as there are recordings.
struct ShakingTests {
  /// The acceleration of a body whose motion is known, in g.
  private static func felt(
    _ path: Body.Path, seeds: ClosedRange<UInt64> = 1...3, seconds: Int = 40, hertz: Double = 60,
    isAtRest: Bool? = nil
  ) -> [[[Double]]] {
    seeds.map { seed in
      var felt = FeltMotion(body: Body(path: path), departure: .zero, seed: seed)
      return (0..<Int(Double(seconds) * hertz)).compactMap { index in
        let now = Instant(nanoseconds: Int64(Double(index) / hertz * 1e9))
        if let isAtRest, felt.body.isAtRest(after: now - .zero) != isAtRest { return nil }
        let sample = felt.acceleration(at: now)
        return [sample.x, sample.y, sample.z]
      }
    }
  }

  /// The stretches of recordings with a label, without their first and last seconds.
  private static func recorded(_ names: [String], label: Int, every divider: Int = 1) throws
    -> [[[Double]]]
  {
    var stretches: [[[Double]]] = []
    for name in names {
      guard var decoder = GzipDecoder() else { throw NoMemory() }
      var text: [UInt8] = []
      try decoder.decode(try TestData.bytes("motion/csv/\(name).csv.gz"), into: &text)
      var sheet = MotionSheet(readsLabels: true)
      var stretch: [[Double]] = []
      var rows: [MotionRow] = []
      let take: (MotionSheet.Item) -> Void = { item in
        if case .row(let row) = item { rows.append(row) }
      }
      sheet.read(text, take)
      sheet.finish(take)
      for row in rows {
        if row.label == label, let sample = row.acceleration {
          stretch.append([sample.x, sample.y, sample.z])
        } else if !stretch.isEmpty {
          stretches.append(stretch)
          stretch = []
        }
      }
      stretches.append(stretch)
    }
    return stretches.map { stretch in
      let inner = stretch.dropFirst(120).dropLast(60)
      return stride(from: inner.startIndex, to: inner.endIndex, by: divider).map { inner[$0] }
    }.filter { $0.count > 300 }
  }

  private struct NoMemory: Error {}

  /// Whether two are alike: spreads within a factor of 1.6 in the middle, and with quantiles that overlap.
  private static func isAlike(_ one: Tremor, _ other: Tremor) -> Bool {
    func near(_ a: Double, _ b: Double) -> Bool { max(a, b) <= 1.6 * min(a, b) }
    func overlap(
      _ a: (low: Double, middle: Double, high: Double),
      _ b: (low: Double, middle: Double, high: Double)
    ) -> Bool { a.low <= b.high && b.low <= a.high }
    return near(one.raw.middle, other.raw.middle) && near(one.sway.middle, other.sway.middle)
      && overlap(one.raw, other.raw) && overlap(one.sway, other.sway)
  }

  private static let dot = ["wid_dot__02", "wid_dot__04", "wid_dot__07", "wid_dot__09"]

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func anIdlingEngineShakesAsTheRecordedOneAndARoadDoesNot() throws {
    let recorded = Tremor(of: try ShakingTests.recorded(ShakingTests.dot, label: 0), hertz: 60)
    let engine = Tremor(of: ShakingTests.felt(.idling), hertz: 60)
    #expect(ShakingTests.isAlike(engine, recorded), "\(engine) \(recorded)")
    #expect((22...33.5).contains(engine.peakHertz) && (22...33.5).contains(recorded.peakHertz))
    let road = Tremor(of: ShakingTests.felt(.motorway), hertz: 60)
    #expect(!ShakingTests.isAlike(road, recorded))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aRoadShakesAsInTheRecordedCarAndAnEngineDoesNot() throws {
    let recorded = Tremor(
      of: try ShakingTests.recorded(["balzer__car_2014-02-14"], label: 1), hertz: 57)
    let road = Tremor(of: ShakingTests.felt(.journey, seconds: 120, isAtRest: false), hertz: 60)
    #expect(ShakingTests.isAlike(road, recorded), "\(road) \(recorded)")
    #expect((1...2).contains(road.peakHertz) && (1...2).contains(recorded.peakHertz))
    #expect(!ShakingTests.isAlike(Tremor(of: ShakingTests.felt(.idling), hertz: 60), recorded))
  }

  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aWalkShakesAsInTheRecordedPocketAndARoadDoesNot() throws {
    let recorded = Tremor(
      of: try ShakingTests.recorded(["s3walk__theo_143903"], label: 1), hertz: 86)
    let walk = Tremor(of: ShakingTests.felt(.walk, hertz: 86, isAtRest: false), hertz: 86)
    #expect(ShakingTests.isAlike(walk, recorded), "\(walk) \(recorded)")
    // The step or its first overtone.
    #expect((1.4...4).contains(walk.peakHertz) && (1.4...4).contains(recorded.peakHertz))
    #expect(!ShakingTests.isAlike(Tremor(of: ShakingTests.felt(.motorway), hertz: 60), recorded))
  }

  /// The knocks of a desk with the noise of the chip that recorded it: its own recording without them is the control.
  @Test(.enabled(if: TestData.isAvailableOrRequired, "the recordings are not there"))
  func aDeskKnocksAsHardAsTheRecordedOneAndAStillOneDoesNot() throws {
    func strongest(_ stretches: [[[Double]]]) -> Double {
      stretches.map { stretch in
        (0..<3).map { axis -> Double in
          let middle = stretch.map { $0[axis] }.sorted()[stretch.count / 2]
          return stretch.map { abs($0[axis] - middle) }.max() ?? 0
        }.max() ?? 0
      }.max() ?? 0
    }
    let recorded = strongest(try ShakingTests.recorded(["synth_desk__disturbed"], label: 0))
    let unmoved = strongest(
      try ShakingTests.recorded(["mpu6050__unmoved-with-x-pointing-forward-10min"], label: 0))
    let desk = strongest(ShakingTests.felt(.desk, seeds: 1...1, seconds: 655, hertz: 200))
    #expect(max(desk, recorded) < 1.6 * min(desk, recorded), "\(desk) \(recorded)")
    #expect(unmoved < recorded / 2 && strongest(ShakingTests.felt(.still)) < 1e-9)
  }

  // MARK: - Aliases

  /// 75 to 100 % of the time the idling engine sways by more than 10 mg when it is polled at 25 Hz without a low-pass,
  /// 1 to 2 % at 50 to 100 Hz (Docs/SOURCES.md, M2).
  @Test(arguments: [UInt64](1...6))
  func anEngineHardlySwaysWhenItIsPolledAtFiftyHertz(_ seed: UInt64) {
    let fast = Tremor(
      of: ShakingTests.felt(.idling, seeds: seed...seed, seconds: 20, hertz: 50), hertz: 50)
    #expect(fast.sway.high < 10)
  }

  @Test func someEngineAliasesIntoSwayWhenItIsPolledTooSlowly() {
    let slow = (UInt64(1)...12).map { seed in
      Tremor(of: ShakingTests.felt(.idling, seeds: seed...seed, seconds: 20, hertz: 25), hertz: 25)
        .sway.middle
    }
    #expect((slow.max() ?? 0) > 10)
  }

  // MARK: - One body

  @Test func theForwardAccelerationOfADriveAddsUpToItsSpeed() {
    let body = Body(path: .errand)
    var felt = FeltMotion(body: body, departure: .zero, seed: 5)
    var speed = 0.0
    for index in 0..<24_000 {
      let now = Instant(nanoseconds: Int64(index) * 1_000_000)
      speed += felt.acceleration(at: now).x * 9.806_65 / 1_000
      guard index % 1_000 == 999, index > 9_000 || (4_000...5_000).contains(index) else { continue }
      // The shaking moves the body by some centimeters in a second.
      let truth = body.motion(after: now - .zero).speed
      #expect(abs(speed - truth) < 0.8, "\(index / 1_000) s: \(speed) m/s instead of \(truth)")
    }
  }

  @Test func anElevatorPressesUpwardsAndComesToTheFloorAbove() {
    let body = Body(path: .elevator)
    let low = body.motion(after: .seconds(200)).height
    let high = body.motion(after: .seconds(400)).height
    #expect((25...28).contains(high - low))
    var felt = FeltMotion(body: body, departure: .zero, seed: 1)
    let start = felt.acceleration(at: .zero + .milliseconds(302_500)).z
    let end = felt.acceleration(at: .zero + .milliseconds(312_500)).z
    #expect(start > 1.05 && end < 0.95)
  }

  @Test func theFeltMotionOfAnInstantIsTheSameHoweverOneGetsThere() {
    for path in Body.Path.allCases {
      var often = FeltMotion(body: Body(path: path), departure: .zero + .seconds(3), seed: 9)
      var seldom = often
      for index in 0..<1_200 {
        let now = Instant.zero + .milliseconds(Int64(index) * 50)
        let sample = often.acceleration(at: now)
        if index % 37 == 0 { #expect(seldom.acceleration(at: now) == sample) }
      }
    }
  }

  @Test func aCarriedBoardMovesAndAStandingBoardRests() {
    let theft = Body(path: .theft)
    for (second, isAtRest) in [
      (Int64(599), true), (601, false), (608, false), (640, false), (900, true),
    ] {
      #expect(theft.isAtRest(after: .seconds(second)) == isAtRest, "\(second) s")
    }
    for path in [Body.Path.desk, .street, .idling, .mast, .still] {
      #expect(Body(path: path).isAtRest(after: .seconds(12_345)))
    }
    let journey = Body(path: .journey)
    #expect(journey.isAtRest(after: .seconds(5)) && !journey.isAtRest(after: .seconds(11)))
    // At the light.
    #expect(journey.isAtRest(after: .seconds(65)))
  }

  @Test(arguments: [Body.Path.errand, .journey, .walk])
  func aRoundTripIsClosed(_ path: Body.Path) {
    let body = Body(path: path)
    let start = body.motion(after: .zero)
    let end = body.motion(after: .seconds(Int64(path.legSeconds)) - .milliseconds(1))
    let meters = (
      (start.latitude - end.latitude) * 111_195, (start.longitude - end.longitude) * 75_500
    )
    #expect(abs(meters.0) < 1.5 && abs(meters.1) < 1.5, "\(meters)")
    // Control: on the way it is elsewhere.
    #expect(abs(body.motion(after: .seconds(40)).latitude - start.latitude) * 111_195 > 5)
  }

  @Test func aLeaningBodyLeansGravity() {
    var felt = FeltMotion(body: Body(path: .theft), departure: .zero, seed: 2)
    let lying = felt.acceleration(at: .zero + .seconds(500))
    let carried = felt.acceleration(at: .zero + .seconds(607))
    #expect(abs(lying.y) < 1e-9 && abs(carried.y - 0.342) < 0.1)
  }

  @Test func aChipMeasuresTheAccelerationOfItsBody() {
    var masses = SimulatedMasses(noiseG: 0, seed: 1)
    let felt = FeltMotion(body: Body(path: .walk), departure: .zero, seed: 4)
    masses.carrier = felt
    _ = masses.samples(until: .zero + .seconds(20), rateHz: 50)
    let samples = masses.samples(until: .zero + .seconds(21), rateHz: 50)
    var same = felt
    let expected = (1...50).map {
      same.acceleration(at: .zero + .seconds(20) + .milliseconds($0 * 20))
    }
    #expect(samples.count == 50)
    let distances = zip(samples, expected).map {
      abs($0.x - $1.x) + abs($0.y - $1.y) + abs($0.z - $1.z)
    }
    #expect((distances.max() ?? 1) < 1e-9)
    // Control: one that lies still.
    masses.carrier = nil
    let still = masses.samples(until: .zero + .seconds(22), rateHz: 50)
    #expect(still.allSatisfy { $0.x == 0 && $0.y == 0 && $0.z == 1 })
  }
}
