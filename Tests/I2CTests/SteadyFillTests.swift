import BinnacleBasics
import I2C
import Testing

/// A FIFO of 32 that fills 50 times a second, read every 560 ms.
@Suite struct SteadyFillTests {
  private struct Chip {
    var made = 0.0
    var held = 0
    var now = Instant.zero
    var rateHz = 50.0

    mutating func pass(_ interval: Interval) {
      now += interval
      let before = made.rounded(.down)
      made += interval.seconds * rateHz
      held += Int(made.rounded(.down) - before)
    }
  }

  @Test func afterTwoLevelsTheFillIsKnown() {
    var fill = SteadyFill(capacity: 32)
    var chip = Chip()
    chip.pass(.milliseconds(560))
    #expect(fill.sureCount(at: chip.now) == 0)
    fill.saw(level: chip.held, took: chip.held, at: chip.now)
    chip.held = 0
    chip.pass(.milliseconds(560))
    #expect(fill.sureCount(at: chip.now) == 0)
    fill.saw(level: chip.held, took: chip.held, at: chip.now)
    chip.held = 0
    chip.pass(.milliseconds(560))
    #expect((26...28).contains(fill.sureCount(at: chip.now)))
  }

  static let rates: [Double] = [45, 48.7, 50, 51.3, 53]

  @Test(arguments: rates) func aReadTakesAlmostAllSamplesAndNeverMore(_ rateHz: Double) {
    var fill = SteadyFill(capacity: 32)
    var chip = Chip(rateHz: rateHz)
    var random = Random(seed: 7)
    var askedCount = 0
    var leftMax = 0
    for _ in 0..<2_000 {
      chip.pass(.milliseconds(555 + Int64(random.next() % 11)))
      let sure = fill.sureCount(at: chip.now)
      #expect(sure <= chip.held)
      let took = sure > 0 ? sure : chip.held
      if sure == 0 { askedCount += 1 }
      fill.saw(level: chip.held, took: took, at: chip.now)
      chip.held -= took
      if sure > 0 { leftMax = max(leftMax, chip.held) }
    }
    #expect(askedCount == 2)
    #expect(leftMax <= 2)
  }

  @Test(arguments: rates) func aReadWithoutALevelNeverExceedsTheFill(_ rateHz: Double) {
    var fill = SteadyFill(capacity: 32)
    var chip = Chip(rateHz: rateHz)
    var readCount = 0
    for _ in 0..<2_000 {
      chip.pass(.milliseconds(560))
      let sure = fill.sureCount(at: chip.now)
      if fill.mayReadUnseen(at: chip.now) {
        #expect(sure <= chip.held)
        fill.tookUnseen(sure)
        chip.held -= sure
      } else {
        readCount += 1
        fill.saw(level: chip.held, took: chip.held, at: chip.now)
        chip.held = 0
      }
      #expect(chip.held <= 3)
    }
    // Every eighth, and a few more at the beginning.
    #expect(readCount < 320)
  }

  @Test func theFillIsUnknownLongAfterTheLastRead() {
    var fill = SteadyFill(capacity: 32)
    for second in 1...3 {
      fill.saw(level: 25, took: 25, at: .zero + .milliseconds(500) * Int64(second))
    }
    #expect(fill.sureCount(at: .zero + .milliseconds(2_000)) == 24)
    #expect(fill.sureCount(at: .zero + .milliseconds(2_400)) == 0)
  }

  @Test func aFullFIFOOrAnIncompleteReadResetsThePrediction() {
    for (level, took) in [(32, 32), (20, 24)] {
      var fill = SteadyFill(capacity: 32)
      for second in 1...3 {
        fill.saw(level: 25, took: 25, at: .zero + .milliseconds(500) * Int64(second))
      }
      fill.saw(level: level, took: took, at: .zero + .milliseconds(2_000))
      #expect(fill.sureCount(at: .zero + .milliseconds(2_500)) == 0)
    }
  }

  @Test func aChipThatBecomesSlowerIsMeasuredAgainWithinTwoMinutes() {
    var fill = SteadyFill(capacity: 32)
    var chip = Chip(rateHz: 51)
    var tooManyCount = 0
    for turn in 0..<600 {
      if turn == 200 { chip.rateHz = 49 }
      chip.pass(.milliseconds(560))
      let sure = fill.sureCount(at: chip.now)
      let took = sure > 0 ? sure : chip.held
      if took > chip.held { tooManyCount += 1 }
      fill.saw(level: chip.held, took: took, at: chip.now)
      chip.held = max(0, chip.held - took)
    }
    #expect((1...3).contains(tooManyCount))
  }
}
