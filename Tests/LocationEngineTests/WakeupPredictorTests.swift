import BinnacleBasics
import Testing

@testable import LocationEngine

/// A line on which an epoch of NAV-PVT and NAV-EOE comes byte by byte, read as the rhythm allows.
private struct PacedLine {
  var rhythm: WakeupPredictor
  var period = Interval.milliseconds(100)
  var speed = 115_200
  /// Bytes that become readable together.
  var group = 1
  /// The time from the arrival of awaited bytes to their read.
  var readLatency = Interval.zero
  var patience = WakeupPredictor.Patience.betweenSolutions
  /// How much later than its turn each epoch begins, by its number.
  var lateness: (Int) -> Interval = { _ in .zero }
  private(set) var reads = 0
  private(set) var delays: [Interval] = []

  private static let solutionBytes = 100
  private static let epochBytes = 112

  init(isPaced: Bool = true, speed: Int = 115_200) {
    rhythm = WakeupPredictor(speed: speed, isPaced: isPaced)
  }

  mutating func run(epochs: Range<Int>) {
    for epoch in epochs {
      let start = Instant.zero + period * Int64(epoch) + lateness(epoch)
      run(epoch: epoch, from: start)
    }
  }

  private mutating func run(epoch: Int, from start: Instant) {
    var taken = 0
    while taken < PacedLine.epochBytes {
      // The next byte that was not read is readable here, and it is read when the quiet is over.
      let next = arrival(of: min(taken + 1, PacedLine.epochBytes), from: start)
      let quietUntil = rhythm.quietUntil ?? next
      let now = quietUntil > next ? quietUntil : next + readLatency
      // The bytes that the quiet time leaves for the next epoch are read then.
      guard now < start + period else { break }
      let before = taken
      while taken < PacedLine.epochBytes, arrival(of: taken + 1, from: start) <= now { taken += 1 }
      read(epoch: epoch, from: start, before: before, taken: taken, at: now)
    }
  }

  private mutating func read(
    epoch: Int, from start: Instant, before: Int, taken: Int, at now: Instant
  ) {
    reads += 1
    let hasSolution = before < PacedLine.solutionBytes && taken >= PacedLine.solutionBytes
    if hasSolution { delays.append(now - arrival(of: PacedLine.solutionBytes, from: start)) }
    let end = taken < PacedLine.solutionBytes ? PacedLine.solutionBytes : PacedLine.epochBytes
    let isBetween = taken == PacedLine.solutionBytes || taken == PacedLine.epochBytes
    rhythm.bytesRead(
      taken - before, bytesAwaited: isBetween ? 0 : end - taken,
      epochMilliseconds: hasSolution ? UInt32(epoch * 100) : nil, patience: patience, at: now)
  }

  private func arrival(of byte: Int, from start: Instant) -> Instant {
    let grouped = min((byte + group - 1) / group * group, PacedLine.epochBytes)
    return start + Interval(nanoseconds: Int64(grouped) * 10_000_000_000 / Int64(speed))
  }

  /// The solution of an epoch comes again, when the next one is due.
  mutating func repeatSolution(of epoch: Int) {
    rhythm.bytesRead(
      112, bytesAwaited: 0, epochMilliseconds: UInt32(epoch * 100), patience: .betweenSolutions,
      at: rhythm.quietUntil ?? .zero)
  }

  /// Bytes that had waited for the reader come much faster than the line's pace.
  mutating func burst() {
    for read in 0..<40 {
      rhythm.bytesRead(
        20, bytesAwaited: 80, epochMilliseconds: nil, patience: .none,
        at: .zero - .milliseconds(50) + .microseconds(Int64(read) * 50))
    }
  }

  mutating func forget() {
    reads = 0
    delays = []
  }

  var worst: Interval { delays.max() ?? .zero }
}

@Suite struct WakeupPredictorTests {
  @Test(arguments: [1, 8])
  func twoReadsAnEpochCarryASteadyStreamWithoutDelay(group: Int) {
    var line = PacedLine()
    line.group = group
    line.run(epochs: 0..<20)
    line.forget()
    line.run(epochs: 20..<120)
    #expect(line.reads <= 230)
    #expect(line.delays.count == 100)
    #expect(line.delays.sorted()[50] <= .microseconds(500))
    // A group of bytes and the slack that was learned.
    #expect(line.worst <= .microseconds(1_500))
  }

  @Test func oneReadAnEpochCarriesARegularStream() {
    var line = PacedLine()
    line.group = 8
    line.run(epochs: 0..<60)
    line.forget()
    line.run(epochs: 60..<1_060)
    // Beside the one: one wake-up in eleven is too early, and the last group of bytes is read when it comes.
    #expect(line.reads <= 1_130)
    #expect(line.delays.count == 1_000)
    #expect(line.worst <= .microseconds(60))
  }

  @Test func aRegularStreamIsReadByFramesWhileAnAnswerIsAwaited() {
    var line = PacedLine()
    line.group = 8
    line.run(epochs: 0..<60)
    line.forget()
    line.patience = .withinFrames
    line.run(epochs: 60..<90)
    // The first bytes of the solution, its end, its last group if the read was too early, and the other frame.
    #expect(line.reads <= 30 * 4)
    #expect(line.delays.count == 30)
    #expect(line.worst <= .microseconds(1_500))
    line.forget()
    line.patience = .betweenSolutions
    line.run(epochs: 90..<190)
    #expect(line.reads <= 113)
    #expect(line.worst <= .microseconds(60))
  }

  @Test func theFirstWakeUpOfARegularStreamMeasuresIt() {
    var line = PacedLine()
    line.group = 8
    line.run(epochs: 0..<17)
    line.forget()
    line.run(epochs: 17..<100)
    #expect(line.worst <= .microseconds(60))
  }

  @Test func aProbeThatIsReadLateDoesNotMoveTheTargetLater() {
    var line = PacedLine()
    line.group = 8
    line.readLatency = .microseconds(150)
    line.run(epochs: 0..<62)
    line.forget()
    line.run(epochs: 62..<112)
    // The target has come down from the first probe's instant.
    #expect(line.delays.sorted()[33] <= .microseconds(40))
    line.forget()
    line.run(epochs: 112..<1_112)
    #expect(line.reads <= 1_130)
  }

  @Test func theFirstTargetComesDownInLargeSteps() {
    var line = PacedLine()
    line.group = 8
    line.readLatency = .microseconds(150)
    line.run(epochs: 0..<32)
    line.forget()
    line.run(epochs: 32..<60)
    // Later than the largest delay of small steps are only the wake-ups that were too early.
    #expect(line.delays.filter { $0 > .microseconds(60) }.count <= 3)
  }

  @Test(arguments: [false, true])
  func aSolutionThatIsMissingOrComesTwiceLeavesTheTargetAsItIs(comesTwice: Bool) {
    var line = PacedLine()
    line.group = 8
    line.run(epochs: 0..<60)
    if comesTwice { line.repeatSolution(of: 59) }
    line.forget()
    line.run(epochs: 61..<100)
    #expect(line.delays.count == 39)
    #expect(line.worst <= .microseconds(60))
    #expect(line.reads <= 60)
  }

  @Test(arguments: [
    // In step, with one that is missing before it, and when the board was busy.
    (gap: 100, at: 100, isInStep: true), (200, 160, true), (100, 190, true),
    // The receiver has set its clock on: by a period, and by a part of one.
    (200, 100, false), (150, 150, false),
  ])
  func aSolutionIsInStepAtItsPeriodOrLater(gap: Int64, at: Int64, isInStep: Bool) {
    var target = WakeupTarget(after: .zero, period: .milliseconds(100))
    let isNext = target.isNext(after: .milliseconds(gap), at: .zero + .milliseconds(at))
    #expect(isNext == isInStep)
  }

  @Test func theRestOfALateSolutionIsReadAsItComes() {
    var line = PacedLine()
    line.run(epochs: 0..<60)
    let late = Instant.zero + .milliseconds(6_030)
    line.rhythm.bytesRead(
      40, bytesAwaited: 60, epochMilliseconds: nil, patience: .betweenSolutions, at: late)
    #expect(line.rhythm.quietUntil == nil)
  }

  @Test func aReceiverThatWasBusyWithinFramesDoesNotMakeTheLineSlow() {
    var rhythm = WakeupPredictor(speed: 115_200, isPaced: false)
    for frame in 0..<5 {
      let start = Instant.zero + .milliseconds(Int64(frame) * 100)
      for (count, left, delay) in [(20, 80, 0), (16, 64, 6), (64, 0, 12)] {
        rhythm.bytesRead(
          count, bytesAwaited: left, epochMilliseconds: nil, patience: .withinFrames,
          at: start + .milliseconds(Int64(delay)))
      }
    }
    let now = Instant.zero + .seconds(1)
    rhythm.bytesRead(4, bytesAwaited: 96, epochMilliseconds: nil, patience: .withinFrames, at: now)
    // The bytes take 8.3 ms.
    #expect(rhythm.quietUntil.map { $0 - now < .milliseconds(11) } == true)
  }

  @Test func aSingleLateSolutionDelaysTheNextOnesByLittle() {
    var line = PacedLine()
    line.group = 8
    line.lateness = { $0 == 200 ? .milliseconds(4) : .zero }
    line.run(epochs: 0..<201)
    line.forget()
    line.run(epochs: 201..<300)
    #expect(line.worst <= .microseconds(120))
  }

  @Test func lateReadsBeforeALullDoNotMoveTheTarget() {
    // The instants of reads that have waited for the end of a frame say when a solution was read, not when it came.
    var target = WakeupTarget(after: .zero, period: .milliseconds(100))
    #expect(target.wakeUp < .zero + .milliseconds(99))
    _ = target.missed(by: .zero + .milliseconds(100), isExact: true)
    #expect(target.wakeUp == .zero + .milliseconds(200))
    _ = target.missed(by: .zero + .microseconds(200_900), isExact: false)
    #expect(target.wakeUp == .zero + .milliseconds(300))
    _ = target.missed(by: .zero + .microseconds(299_900), isExact: false)
    #expect(target.wakeUp == .zero + .microseconds(399_900))
  }

  @Test func probesThatFindSolutionsWholeReachATargetThatIsFarTooLate() {
    // The solutions are whole 1.5 ms before the first target.
    var target = WakeupTarget(after: .zero, period: .milliseconds(100))
    #expect(target.wakeUp > .zero + .microseconds(98_500))
    _ = target.hit()
    #expect(target.wakeUp == .zero + .microseconds(197_600))
    _ = target.missed(by: .zero + .microseconds(198_500), isExact: true)
    #expect(target.wakeUp == .zero + .microseconds(298_500))
  }

  @Test func aClockThatRunsAtAnotherPaceIsFollowed() {
    for drift in [-80, 80] {
      var line = PacedLine()
      line.lateness = { .microseconds(Int64($0 * drift / 10)) }
      line.run(epochs: 0..<60)
      line.forget()
      line.run(epochs: 60..<1_060)
      #expect(line.delays.count == 1_000)
      // A step after a solution that was missed, and 15 epochs of drift that the steps do not follow.
      #expect(line.worst <= .microseconds(230))
    }
  }

  @Test func withoutLearningTheFirstSolutionsAreNotDelayedEither() {
    var line = PacedLine()
    line.run(epochs: 0..<10)
    #expect(line.delays.count == 10)
    #expect(line.worst <= .milliseconds(1))
  }

  @Test func epochsThatComeEarlyMakeTheLullShorter() {
    var random = Random(seed: 3)
    var late: [Interval] = []
    for _ in 0..<2_000 { late.append(.microseconds(Int64(random.unit() * 20_000))) }
    var line = PacedLine()
    line.lateness = { late[$0] }
    line.run(epochs: 0..<500)
    line.forget()
    line.run(epochs: 500..<2_000)
    let sorted = line.delays.sorted()
    #expect(sorted[sorted.count * 99 / 100] <= .milliseconds(1))
    #expect(line.reads <= 1_500 * 32 / 10)
  }

  @Test func aStreamThatMovesAheadOfTheLullIsCaughtUpWith() {
    var line = PacedLine()
    line.lateness = { $0 < 50 ? .milliseconds(30) : .zero }
    line.run(epochs: 0..<68)
    line.forget()
    line.run(epochs: 68..<150)
    #expect(line.delays.count == 82)
    #expect(line.worst <= .milliseconds(1))
  }

  @Test func thePaceOfALineWithoutSpeedIsLearned() {
    // The line is believed to run at 460800 baud and really runs at 115200: more reads, no delay.
    var line = PacedLine(isPaced: false, speed: 460_800)
    line.run(epochs: 0..<100)
    line.forget()
    line.run(epochs: 100..<200)
    #expect(line.worst <= .milliseconds(1))
    #expect(line.reads <= 400)
  }

  @Test func aBurstAtTheStartCostsNoWakeUpsLater() {
    var line = PacedLine(isPaced: false)
    line.group = 8
    line.burst()
    line.run(epochs: 0..<60)
    line.forget()
    line.run(epochs: 60..<1_060)
    #expect(line.reads <= 1_130)
    #expect(line.worst <= .microseconds(60))
  }

  @Test func thePaceIsMeasuredFromReadsOfFewBytes() {
    var line = PacedLine(isPaced: false)
    line.group = 8
    // The solutions are irregular, so each frame's end is computed from the pace.
    line.lateness = { $0 % 2 == 0 ? .zero : .milliseconds(3) }
    line.burst()
    line.run(epochs: 0..<60)
    line.forget()
    line.run(epochs: 60..<160)
    #expect(line.reads <= 240)
  }

  /// The lull after ten solutions at 1 Hz on a line without a speed.
  private func lull(bytes: (Int) -> Int) throws -> Interval {
    var rhythm = WakeupPredictor(speed: 115_200, isPaced: false)
    for epoch in 0..<10 {
      rhythm.bytesRead(
        bytes(epoch), bytesAwaited: 0, epochMilliseconds: UInt32(epoch * 1_000),
        patience: .betweenSolutions, at: .zero + .seconds(Int64(epoch)))
    }
    return try #require(rhythm.quietUntil) - (.zero + .seconds(9))
  }

  @Test func aLineWithoutASpeedRestsForAPeriodOfFewBytes() throws {
    // The lull ends before the solution, by less than a twentieth of the period.
    #expect(try lull { _ in 112 } == .milliseconds(950))
    // A period of many bytes is forgotten after seven of few.
    #expect(try lull { $0 == 1 ? 3_000 : 112 } == .milliseconds(950))
    // The kernel's buffer lasts for 2,000 bytes at the line's pace.
    #expect(try lull { _ in 3_000 } < .milliseconds(174))
    #expect(try lull { $0 == 5 ? 3_000 : 112 } < .milliseconds(174))
  }

  @Test func wholeFramesAtOnceAreNotDelayed() {
    var rhythm = WakeupPredictor(speed: 115_200, isPaced: true)
    for epoch in 0..<50 {
      let arrival = Instant.zero + .milliseconds(Int64(epoch) * 100)
      if let quiet = rhythm.quietUntil { #expect(quiet <= arrival + .microseconds(100)) }
      rhythm.bytesRead(
        112, bytesAwaited: 0, epochMilliseconds: UInt32(epoch * 100), patience: .betweenSolutions,
        at: arrival)
    }
    #expect(rhythm.quietUntil != nil)
  }

  @Test func aLullNeverOutlastsTheNextSolutionOrTheKernelsBuffer() {
    for (speed, period) in [(9_600, 1_000), (115_200, 1_000), (115_200, 100), (921_600, 200)] {
      var rhythm = WakeupPredictor(speed: speed, isPaced: true)
      var lullCount = 0
      for epoch in 0..<10 {
        let now = Instant.zero + .milliseconds(Int64(epoch * period))
        rhythm.bytesRead(
          112, bytesAwaited: 0, epochMilliseconds: UInt32(epoch * period),
          patience: .betweenSolutions, at: now)
        guard let quiet = rhythm.quietUntil else { continue }
        lullCount += 1
        #expect(quiet - now <= .milliseconds(Int64(period * 19 / 20)))
        #expect((quiet - now).nanoseconds <= 2_000 * 10_000_000_000 / Int64(speed))
      }
      #expect(lullCount > 0)
    }
  }

  @Test func nothingIsWaitedForWhileAnAnswerIs() {
    var rhythm = WakeupPredictor(speed: 115_200, isPaced: true)
    for epoch in 0..<10 {
      rhythm.bytesRead(
        112, bytesAwaited: 0, epochMilliseconds: UInt32(epoch * 100), patience: .withinFrames,
        at: .zero + .milliseconds(Int64(epoch * 100)))
      #expect(rhythm.quietUntil == nil)
    }
  }

  @Test func aFrameIsWaitedForToItsEnd() {
    var rhythm = WakeupPredictor(speed: 9_600, isPaced: true)
    rhythm.bytesRead(
      4, bytesAwaited: 96, epochMilliseconds: nil, patience: .withinFrames, at: .zero)
    #expect(rhythm.quietUntil == .zero + .microseconds(100_100))
    rhythm.bytesRead(
      90, bytesAwaited: 0, epochMilliseconds: nil, patience: .withinFrames, at: .zero)
    #expect(rhythm.quietUntil == nil)
  }
}
