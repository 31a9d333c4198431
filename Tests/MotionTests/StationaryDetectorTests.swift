import BinnacleBasics
import Testing

@testable import Motion

/// A board that rests and moves, with an accelerometer and without.
struct StationaryDetectorTests {
  static let rates: [Double] = [10, 14.4, 25, 40, 50, 60, 100]

  private func detector(
    dwell: Int64 = 60, profile: MotionProfile = .standard
  ) -> StationaryDetector {
    StationaryDetector(profile: profile, dwell: .seconds(dwell), at: .zero)
  }

  @Test(arguments: rates)
  func aBoardThatLiesRestsAfterTheDwellAtEveryRate(hertz: Double) {
    var shaker = Shaker(hertz: hertz)
    var detector = detector()
    let changes = shaker.perform(.rest, seconds: 120, on: &detector)
    #expect(changes.count == 1)
    #expect(detector.verdict.reason == .dwellReached)
    #expect(changes.allSatisfy { (60.0...62.0).contains($0) }, "\(changes)")
  }

  @Test(arguments: rates)
  func aRoadEndsTheRestWithinASecondAndAHalfAtEveryRate(hertz: Double) {
    var shaker = Shaker(hertz: hertz)
    var detector = detector()
    _ = shaker.perform(.rest, seconds: 70, on: &detector)
    #expect(detector.verdict.isStationary)
    let changes = shaker.perform(.road, seconds: 10, on: &detector)
    #expect(changes.count == 1)
    #expect(changes.allSatisfy { $0 <= 1.5 }, "\(changes)")
  }

  @Test func attitudeAndScaleDoNotMatter() {
    for attitude in [nil, Shaker.tilted] {
      for scale in [0.96, 1, 1.04] {
        var shaker = Shaker(attitude: attitude, scale: scale)
        var detector = detector()
        var changes = shaker.perform(.road, seconds: 30, on: &detector)
        changes += shaker.perform(.rest, seconds: 90, on: &detector)
        changes += shaker.perform(.road, seconds: 10, on: &detector)
        #expect(changes.count == 2, "\(scale) \(changes)")
        #expect((60.0...64.0).contains(changes.first ?? 0) && changes.last ?? 9 <= 1.25)
      }
    }
  }

  @Test func aDriveFromTheStartIsNotLearnedAsNoise() {
    var shaker = Shaker()
    var detector = detector(dwell: 5)
    let changes = shaker.perform(.road, seconds: 300, on: &detector)
    #expect(changes.isEmpty)
  }

  @Test func anIdlingEngineIsRest() {
    var shaker = Shaker(hertz: 100)
    var detector = detector()
    let changes = shaker.perform(.idle, seconds: 70, on: &detector)
    #expect(changes.count == 1 && detector.verdict.isStationary)
  }

  @Test func aSingleThumpDoesNotEndARestAndDoesNotDelayOne() {
    var shaker = Shaker()
    var detector = detector()
    _ = shaker.perform(.rest, seconds: 30, on: &detector)
    for strength in [0.05, 0.3, 2.0] {
      let changes = shaker.perform(.thump(strength), seconds: 3, on: &detector)
      #expect(changes.isEmpty)
    }
    let changes = shaker.perform(.rest, seconds: 25, on: &detector)
    #expect(changes.count == 1, "the dwell was not reached at 62 s")
    for strength in [0.05, 0.3, 2.0] {
      let changes = shaker.perform(.thump(strength), seconds: 10, on: &detector)
      #expect(changes.isEmpty)
    }
  }

  @Test func theQuietProfileWaitsLonger() {
    var delays: [Double] = []
    for profile in [MotionProfile.standard, .quiet] {
      var shaker = Shaker()
      var detector = detector(profile: profile)
      _ = shaker.perform(.rest, seconds: 70, on: &detector)
      delays += shaker.perform(.road, seconds: 10, on: &detector)
    }
    #expect(delays.count == 2 && delays[0] + 0.75 <= delays[1] && delays[1] <= 2.5, "\(delays)")
  }

  @Test func theEvidenceHasNumbers() {
    var shaker = Shaker()
    var detector = detector()
    _ = shaker.perform(.rest, seconds: 70, on: &detector)
    let evidence = detector.verdict.evidence
    #expect(evidence.sources == .accelerometer)
    guard case .measured(let sway) = evidence.accelerometer else {
      Issue.record("no numbers: \(evidence)")
      return
    }
    #expect((0.3...2).contains(sway.floorMilliG) && sway.thresholdMilliG == 5)
    #expect((48.0...52.0).contains(sway.samplesPerSecond))
    #expect(evidence.creditSeconds == 60 && evidence.dwellSeconds == 60)
  }

  @Test func memoryStaysTheSame() {
    var shaker = Shaker(hertz: 100)
    var detector = detector()
    // 128 samples, 8 hops, 4 seconds' quarters, 3 axes, 60 levels, three blocks of 40 hops.
    let most = 128 + 8 + 4 + 3 + 60 + 3 * 40
    for _ in 0..<3 {
      _ = shaker.perform(.rest, seconds: 400, on: &detector)
      #expect((200...most).contains(Self.elementCount(of: detector)))
      _ = shaker.perform(.road, seconds: 100, on: &detector)
    }
  }

  /// How many elements all arrays in a value have.
  private static func elementCount(of value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    let own = mirror.displayStyle == .collection ? mirror.children.count : 0
    return mirror.children.reduce(own) { $0 + elementCount(of: $1.value) }
  }

  @Test func equalSamplesGiveEqualDetectors() {
    var left = detector()
    var right = detector()
    var first = Shaker(seed: 3)
    var second = Shaker(seed: 3)
    _ = first.perform(.road, seconds: 20, on: &left)
    _ = second.perform(.road, seconds: 20, on: &right)
    #expect(left == right)
  }
}
