import BinnacleBasics
import Testing

@testable import LocationEngine

@Suite struct LineQualityTests {
  private func quality(whole: Int, damaged: Int) -> LineQuality {
    var quality = LineQuality()
    quality.damageCounted(1_000)
    var seen = 1_000
    for index in 0..<max(whole, damaged) {
      if index < whole { quality.frameArrived() }
      if index < damaged {
        seen += 1
        quality.damageCounted(seen)
      }
    }
    return quality
  }

  @Test func damageOfAnEarlierOpeningDoesNotCount() {
    #expect(quality(whole: 20, damaged: 0).damagedPercent == 0)
    #expect(quality(whole: 20, damaged: 0).effort == .plain)
  }

  @Test func eightMessagesAreAMeasureAndSevenAreNone() {
    #expect(quality(whole: 4, damaged: 3).damagedPercent == nil)
    #expect(quality(whole: 4, damaged: 4).damagedPercent == 50)
  }

  @Test func aLineWithoutAWholeMessageIsNoDamagedOne() {
    #expect(quality(whole: 0, damaged: 60).effort == .plain)
  }

  @Test func moreDamageTakesMoreTries() {
    let tries = [(30, 1), (30, 8), (20, 20), (10, 30), (3, 40)].map {
      quality(whole: $0, damaged: $1).effort.tries
    }
    #expect(tries == [1, 2, 3, 5, 8])
  }

  @Test func damageOfLongAgoIsForgotten() {
    var quality = quality(whole: 10, damaged: 30)
    for _ in 0..<400 { quality.frameArrived() }
    #expect(quality.effort == .plain)
  }

  @Test func anotherSpeedIsAnotherLine() {
    var quality = quality(whole: 10, damaged: 30)
    quality.speedChanged()
    quality.damageCounted(5_000)
    #expect(quality.damagedPercent == nil)
  }

  @Test func theShareOfDamagedBytesOutlastsASearchThroughTheSpeeds() {
    var watch = DamageWatch()
    watch.restarted(at: .zero)
    watch.bytesCounted(wholeBytes: 300, damagedBytes: 700, at: .zero + .seconds(10))
    watch.speedChanged(at: .zero + .seconds(11))
    watch.bytesCounted(wholeBytes: 300, damagedBytes: 2_000, at: .zero + .seconds(22))
    #expect(watch.percent(at: .zero + .seconds(60)) == 70)
    #expect(watch.percent(at: .zero + .seconds(71)) == nil)
  }

  @Test func bytesAtAWrongSpeedAreNoDamageOfTheLine() {
    var watch = DamageWatch()
    watch.restarted(at: .zero)
    watch.bytesCounted(wholeBytes: 0, damagedBytes: 900, at: .zero + .seconds(5))
    watch.speedChanged(at: .zero + .seconds(5))
    watch.bytesCounted(wholeBytes: 1_000, damagedBytes: 910, at: .zero + .seconds(16))
    #expect(watch.percent(at: .zero + .seconds(16)) == 0)
  }
}
