import BinnacleBasics
import Testing

@testable import Simulation

/// The receivers and chips that a recording is played with beside its own.
struct VariantTests {
  /// Seconds of a line of so many Hz at 100 samples a second, with a speed in each row.
  private static func rows(_ hertz: Double, speed: Double? = 0, seconds: Int = 20) -> [MotionRow] {
    (0..<seconds * 100).map { index in
      let time = Double(index) / 100
      var row = MotionRow(line: index + 1, instant: .zero + .milliseconds(Int64(index) * 10))
      row.acceleration = (x: sine(degrees: 360 * hertz * time), y: 0, z: 1)
      row.speed = speed
      return row
    }
  }

  private static func played(_ rows: [MotionRow], _ chip: ChipVariant) -> [MotionRow] {
    var resampler = ChipVariant.Resampler(chip, sourceHertz: 100)
    var played: [MotionRow] = []
    for row in rows { resampler.take(row) { played.append($0) } }
    return played
  }

  private static func amplitude(_ rows: [MotionRow]) -> Double {
    rows.dropFirst(rows.count / 2).compactMap { $0.acceleration?.x.magnitude }.max() ?? 0
  }

  @Test(arguments: [50, 25, 12.5, 10])
  func aSlowerChipHasItsOwnRate(_ hertz: Double) {
    let rows = Self.played(Self.rows(1), ChipVariant(hertz: hertz, lowPassHertz: nil))
    #expect(abs(Double(rows.count) - 20 * hertz) <= 1)
    #expect(rows[10].instant.nanoseconds == Int64(10e9 / hertz))
    #expect(Self.amplitude(rows) > 0.95)
  }

  @Test func aLowPassOfSecondOrderRemovesAliases() {
    // Sampled at 24 Hz, 23 Hz look like 1 Hz.
    let folded = Self.played(Self.rows(23), ChipVariant(hertz: 24, lowPassHertz: nil))
    #expect(Self.amplitude(folded) > 0.9)
    let filtered = Self.played(Self.rows(23), ChipVariant(hertz: 24, lowPassHertz: 5))
    #expect(Self.amplitude(filtered) < 0.05)
    let kept = Self.played(Self.rows(1), ChipVariant(hertz: 24, lowPassHertz: 5))
    #expect(Self.amplitude(kept) > 0.95)
  }

  @Test func aCoarseChipReportsWholeSteps() {
    let chip = ChipVariant(hertz: 50, lowPassHertz: nil, stepMilliG: 10)
    let numbers = Set(Self.played(Self.rows(1), chip).compactMap { $0.acceleration?.x })
    #expect(
      numbers.count > 20 && numbers.allSatisfy { abs(($0 * 100).remainder(dividingBy: 1)) < 1e-9 })
  }

  private static func speeds(_ variant: SolutionVariant, speed: Double?) -> [Double] {
    var filter = SolutionVariant.Filter(variant)
    return rows(1, speed: speed, seconds: 60).compactMap { filter.pass($0).speed }
  }

  @Test func aReceiverOfOneHertzReportsOneSpeedASecond() {
    #expect(Self.speeds(.asRecorded, speed: 0.1).count == 6_000)
    #expect(Self.speeds(.hertz1, speed: 0.1) == [Double](repeating: 0.1, count: 60))
    #expect(Self.speeds(.hertz1, speed: nil).isEmpty)
    #expect(Self.speeds(.constant, speed: nil) == [Double](repeating: 0.45, count: 60))
    let noise = Self.speeds(.noise, speed: nil)
    #expect(noise.count == 60 && noise.allSatisfy { (0.3...0.7).contains($0) })
    #expect(Set(noise).count > 50)
    #expect(Self.speeds(.noise, speed: 10).allSatisfy { (10...10.1).contains($0) })
  }

  @Test func recordingsFallIntoTwoHalvesByTheirNames() {
    let names = ["freematics__2021-10-27_17-21-22", "freematics__2021-11-16_23-04-20"]
    let halves = names.map { MotionTrial(name: $0, settings: []) }.map { trial in
      var trial = trial
      return trial.finish().isForTuning
    }
    #expect(halves == [false, true])
  }
}
