import Accelerometers
import BinnacleBasics
import BinnacleModel
import Simulation
import Testing

@testable import LocationEngine

/// Rests of a board without an accelerometer, by fixes alone.
@Suite struct DoubtedRestTests {
  private static let dwell = Interval.seconds(8)

  private static func fix(_ seconds: Int64, metersNorth: Double = 0, speed: Double = 0) -> Fix {
    var fix = Fix(
      latitude: 48 + metersNorth / 111_195, longitude: 11, horizontalAccuracy: 5,
      time: UTCTime(secondsSince1970: 1_790_000_000 + seconds))
    (fix.speed, fix.speedAccuracy) = (speed, 0.2)
    return fix
  }

  /// Seed 19514: an app that had lost its position was told to rest, with the first fix of a board that was carried off.
  @Test(arguments: [false, true])
  func aDistantFixHoldsBackTheReportOfARest(isLeft: Bool) {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.init(dwell: Self.dwell)], at: .zero)
    for second in Int64(1)...12 {
      _ = watch.fixJudged(Self.fix(second), at: .zero + .seconds(second))
    }
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false))
    let distant = Self.fix(13, metersNorth: 48, speed: 0.6)
    let isChanged = watch.fixJudged(distant, at: .zero + .seconds(13))
    #expect(isChanged)
    #expect(watch.isResting(dwell: Self.dwell, isPaused: true))
    #expect(!watch.isResting(dwell: Self.dwell, isPaused: false))
    let next = Self.fix(14, metersNorth: isLeft ? 49 : 0, speed: isLeft ? 0.6 : 0)
    _ = watch.fixJudged(next, at: .zero + .seconds(14))
    #expect(watch.isResting(dwell: Self.dwell, isPaused: true) == !isLeft)
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false) == !isLeft)
  }

  /// Seed 640122905: the accelerometer had filled the dwell when the first fix came, 29 m from where the app had paused.
  @Test(arguments: [(29.0, false), (3, true)])
  func aBoardThatRestsElsewhereThanBeforeBeginsItsDwell(metersNorth: Double, isResting: Bool) {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.init(dwell: Self.dwell, spot: RestSpot(Self.fix(0)))], at: .zero)
    func run(from start: Int64, to end: Int64, hasFixes: Bool) {
      for second in start...end {
        let now = Instant.zero + .seconds(second)
        let batch = AccelerationBatch(
          first: now - .seconds(1), interval: .milliseconds(20), gPerCount: 0.001,
          counts: (0..<50).flatMap { [0, 0, Int16(1_000 + $0 % 3)] })
        _ = watch.samplesArrived(batch, at: now)
        if hasFixes { _ = watch.fixJudged(Self.fix(second, metersNorth: metersNorth), at: now) }
      }
    }
    run(from: 1, to: 20, hasFixes: false)
    run(from: 21, to: 22, hasFixes: true)
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false) == isResting)
    run(from: 23, to: 34, hasFixes: true)
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false))
  }

  /// Seed 3701981871: an app was told to rest 4.8 s after the last fix, of a board that had driven off into a tunnel.
  @Test func aRestWithoutAWitnessIsNotReported() {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.init(dwell: Self.dwell)], at: .zero)
    for second in Int64(1)...12 {
      _ = watch.fixJudged(Self.fix(second), at: .zero + .seconds(second))
    }
    func isResting(isPaused: Bool, atSecond second: Int64) -> (changes: Bool, rests: Bool) {
      let isChanged = watch.timePassed(to: .zero + .seconds(second))
      return (isChanged, watch.isResting(dwell: Self.dwell, isPaused: isPaused))
    }
    #expect(isResting(isPaused: false, atSecond: 14) == (false, true))
    #expect(isResting(isPaused: false, atSecond: 16) == (true, false))
    #expect(isResting(isPaused: true, atSecond: 16) == (false, true))
    let isChanged = watch.fixJudged(Self.fix(17), at: .zero + .seconds(17))
    #expect(isChanged)
    #expect(isResting(isPaused: false, atSecond: 17) == (false, true))
  }

  /// Seed 3383614739: an app was told to rest 3.75 s after the board stood; the rest of its dwell was of before a loss of the
  /// receiver.
  @Test(arguments: [(4, true), (20, false), (40, false)])
  func aDwellWithoutAWitnessForTenSecondsRestarts(silentSeconds: Int64, isResting: Bool) {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.init(dwell: Self.dwell)], at: .zero)
    // The last of them counts for three seconds more, so that no rest begins.
    for second in Int64(1)...3 {
      _ = watch.fixJudged(Self.fix(second), at: .zero + .seconds(second))
    }
    for second in (3 + silentSeconds)...(8 + silentSeconds) {
      _ = watch.fixJudged(Self.fix(second), at: .zero + .seconds(second))
    }
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false) == isResting)
  }

  /// Seed 2078980632: an app that had lost its position was told to rest, with a fix that said 0.66 m/s.
  @Test(arguments: [(0.66, true), (0.3, false)])
  func aMovingFixHoldsBackTheReportOfARest(speed: Double, isDoubted: Bool) {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.init(dwell: Self.dwell)], at: .zero)
    for second in Int64(1)...12 {
      _ = watch.fixJudged(Self.fix(second), at: .zero + .seconds(second))
    }
    let isChanged = watch.fixJudged(Self.fix(13, speed: speed), at: .zero + .seconds(13))
    #expect(isChanged == isDoubted)
    #expect(watch.isResting(dwell: Self.dwell, isPaused: true))
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false) == !isDoubted)
    _ = watch.fixJudged(Self.fix(14), at: .zero + .seconds(14))
    #expect(watch.isResting(dwell: Self.dwell, isPaused: false))
  }

  /// Seed 3331234567: after a restart an app was told to rest, by fixes of 0.49 to 0.65 m/s near the place of the rest before.
  @Test(arguments: [(0.6, true), (0.45, false)])
  func aRestOfBeforeIsNotReportedByAFixThatIsTooFastForTheReceiverAlone(
    speed: Double, isDoubted: Bool
  ) {
    var watch = RestWatch(.standard)
    watch.dwellsWanted([.init(dwell: Self.dwell, spot: RestSpot(Self.fix(0)))], at: .zero)
    func isResting(isPaused: Bool) -> Bool {
      watch.isResting(dwell: Self.dwell, isPaused: isPaused)
    }
    _ = watch.fixJudged(Self.fix(1, metersNorth: 3, speed: 0.45), at: .zero + .seconds(1))
    #expect(isResting(isPaused: false))
    _ = watch.fixJudged(Self.fix(2, metersNorth: 3, speed: speed), at: .zero + .seconds(2))
    #expect(isResting(isPaused: true))
    #expect(isResting(isPaused: false) == !isDoubted)
    _ = watch.fixJudged(Self.fix(3, metersNorth: 3), at: .zero + .seconds(3))
    #expect(isResting(isPaused: false))
  }
}
