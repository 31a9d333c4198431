import Basics
import I2C

/// A chip at work.
struct Running: Equatable, Sendable {
  let chip: Probe.Chip
  let mode: AccelerometerMachine.Mode
  private var reader: BurstReader
  private var frozen = FrozenWatch()
  /// The order that brings samples, and the one that looks after the chip; both are periodic, as a rule.
  private var sampling: UInt64 = 0
  private var checking: UInt64 = 0
  private var failureCount = 0
  private var watch = LineWatch.none
  /// Whether the FIFO is being started again, by the order that brings samples otherwise.
  private var isRestarting = false

  /// How the interrupt line is followed.
  private enum LineWatch: Equatable, Sendable {
    case none
    /// An edge should come by then.
    case waiting(until: Instant, missedCount: Int)
    /// The FIFO is being emptied; whether an edge was the reason.
    case reading(missedCount: Int)
    /// Movement was told and is being acknowledged.
    case acknowledging
    case armed
  }

  enum Verdict: Equatable, Sendable {
    case well
    /// Something is wrong, and samples go on.
    case note(AccelerometerFault)
    case lineSilent(AccelerometerFault)
    /// It answers but is not set up any more.
    case resetByItself
    case lost(AccelerometerFault)
  }

  /// Failures in a row after which the chip counts as gone.
  static let failuresMax = 5
  static let checkPeriod = Interval.seconds(60)
  /// At rest a chip whose line tells of movement is looked after more rarely: every register is a transfer, and each
  /// wakes the bus's thread.
  static let armedCheckPeriod = Interval.seconds(600)
  /// Edges that may be missing in a row.
  private static let missedEdgesMax = 3
  /// A board that keeps moving wakes its owner no more often.
  private static let acknowledgePause = Interval.seconds(1)

  init(
    _ chip: Probe.Chip, _ recipe: Recipe, mode: AccelerometerMachine.Mode, startedAt now: Instant
  ) {
    self.chip = chip
    self.mode = mode
    reader = BurstReader(recipe, startedAt: now)
  }

  private var recipe: Recipe { reader.recipe }
  /// A FIFO for one sample is none.
  private var hasFIFO: Bool { recipe.fifo.map { $0.capacity > 1 } ?? false }

  func description(selfTest: SelfTest.Result?) -> AccelerometerDescription {
    let reading: AccelerometerDescription.Reading =
      switch (mode, recipe.interrupt) {
      case (.streaming, .none), (.streaming, .motion): hasFIFO ? .polledFIFO : .polled
      case (.streaming, .watermark): .interrupt
      case (.resting, .motion): .restingWithInterrupt
      case (.resting, .none), (.resting, .watermark): .resting
      }
    let words =
      switch selfTest {
      case .passed: "passed"
      case .failed(let text): "failed: \(text)"
      case .inconclusive(let text): "inconclusive: \(text)"
      case nil: "the chip has none"
      }
    return AccelerometerDescription(
      model: chip.model.name, address: chip.address, reading: reading, rateHz: recipe.rateHz,
      rangeG: recipe.rangeG, noiseG: recipe.scatterG, selfTest: words)
  }

  // MARK: Beginning and end

  mutating func start(
    at now: Instant, numbers: (UInt64, UInt64), into actions: inout [AccelerometerMachine.Action]
  ) {
    sampling = numbers.0
    checking = numbers.1
    switch (mode, recipe.interrupt) {
    case (.streaming, .watermark): watch = .waiting(until: edgeDue(after: now), missedCount: 0)
    case (.streaming, .none), (.streaming, .motion):
      sample(firstAt: now + samplingPeriod, into: &actions)
    case (.resting, .motion): watch = .armed
    case (.resting, .none), (.resting, .watermark): break
    }
    // At rest the check brings the sample too, so there the first one comes at once.
    check(dueAt: mode == .resting ? now : now + Running.checkPeriod, into: &actions)
  }

  func stop(into actions: inout [AccelerometerMachine.Action]) {
    actions += [.takeBack(sampling), .takeBack(checking)]
  }

  // MARK: Inputs

  mutating func lineRose(
    at edge: Instant, number: UInt64, into actions: inout [AccelerometerMachine.Action]
  ) {
    switch watch {
    case .waiting:
      watch = .reading(missedCount: 0)
      burst(number, dueAt: edge, into: &actions)
    case .armed:
      guard case .motion(let steps) = recipe.interrupt else { return }
      actions.append(.moved(edge))
      acknowledge(steps, number, dueAt: edge + Running.acknowledgePause, into: &actions)
    case .none, .reading, .acknowledging: return
    }
  }

  mutating func deadlineReached(
    at now: Instant, number: UInt64, into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    guard case .waiting(_, let missedCount) = watch else { return .well }
    watch = .reading(missedCount: missedCount + 1)
    burst(number, dueAt: now, into: &actions)
    return .well
  }

  var nextDeadline: Instant? {
    switch watch {
    case .waiting(let until, _): until
    case .none, .reading, .acknowledging, .armed: nil
    }
  }

  mutating func orderEnded(
    _ outcome: I2COrder.Outcome, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    let isSampling = outcome.ticket.number == sampling
    guard isSampling || outcome.ticket.number == checking else { return .well }
    if let failure = outcome.failure {
      return failed(failure, isSampling: isSampling, number: number, at: now, into: &actions)
    }
    failureCount = 0
    if isSampling, isRestarting {
      isRestarting = false
      reader.restarted(at: outcome.ended)
      sampleAgain(number, at: now, into: &actions)
      return .well
    }
    if isSampling { return sampled(outcome, number: number, at: now, into: &actions) }
    return checked(outcome, into: &actions)
  }

  // MARK: Outcomes

  private mutating func sampled(
    _ outcome: I2COrder.Outcome, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    if case .acknowledging = watch {
      watch = .armed
      return deliver(
        reader.sampleArrived(outcome.answers[0], at: outcome.ended), into: &actions)
    }
    guard recipe.fifo != nil else {
      return deliver(
        reader.sampleArrived(outcome.answers[0], at: outcome.ended), into: &actions)
    }
    // The level is read first; all that comes after it takes as long as the bytes do.
    let result = reader.burstArrived(
      outcome.answers[0], outcome.answers[1], at: outcome.began)
    if case .restart = result {
      restartFIFO(number, dueAt: now, into: &actions)
      return .well
    }
    if let verdict = lineVerdict(result, at: now) { return verdict }
    switch result {
    case .batch(let batch): return deliver(batch, into: &actions)
    case .nothing, .restart: return silence(at: outcome.began)
    }
  }

  private mutating func deliver(
    _ batch: AccelerationBatch, into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    actions.append(.samples(batch))
    guard mode == .streaming, recipe.noiseShows, frozen.samplesArrived(batch) else { return .well }
    let names = frozen.axes.map { FrozenWatch.name($0) }.joined(separator: " and ")
    return .note(
      AccelerometerFault(
        .frozen, "\(chip.model.name): axis \(names) has not changed for 10 s"))
  }

  private mutating func checked(
    _ outcome: I2COrder.Outcome, into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    guard outcome.answers[0] == [chip.model.value] else {
      return .lost(
        AccelerometerFault(
          .unknownChip,
          "the chip at \(Hex.byte(chip.address)) says that it is another one: register "
            + "\(Hex.byte(chip.identity.register)) reads \(Hex.byte(outcome.answers[0][0]))"))
    }
    let skipped = mode == .resting ? 2 : 1
    guard recipe.difference(in: Array(outcome.answers[skipped...])) == nil else {
      return .resetByItself
    }
    guard mode == .resting else { return .well }
    return deliver(reader.sampleArrived(outcome.answers[1], at: outcome.ended), into: &actions)
  }

  /// A failure is nothing, a bus has them; five in a row are the end.
  private mutating func failed(
    _ failure: I2CError, isSampling: Bool, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    failureCount += 1
    let isFinal: Bool =
      switch failure.kind {
      case .noAcknowledge, .timeOut, .arbitrationLost, .failed:
        failureCount >= Running.failuresMax
      case .busy, .gone, .missing, .notPermitted, .refused: true
      }
    if isFinal { return .lost(AccelerometerFault(failure)) }
    // Soon, so that the FIFO does not run over meanwhile, and later each time.
    let retryAt = now + .milliseconds(40) * Int64(failureCount)
    guard isSampling else {
      checking = number
      check(dueAt: retryAt, into: &actions)
      return .well
    }
    if let fifo = recipe.fifo, isRestarting || fifo.losesPlace {
      if !isRestarting { reader.burstBroke() }
      restartFIFO(number, dueAt: retryAt, into: &actions)
      return .well
    }
    switch watch {
    case .none:
      sampling = number
      sample(firstAt: retryAt, into: &actions)
    case .waiting, .reading: watch = .waiting(until: retryAt, missedCount: 0)
    case .armed, .acknowledging:
      guard case .motion(let steps) = recipe.interrupt else { break }
      acknowledge(steps, number, dueAt: retryAt, into: &actions)
    }
    return .well
  }

  private func silence(at instant: Instant) -> Verdict {
    let patience = max(.seconds(2), recipe.burstPeriod * 4)
    guard mode == .streaming, instant - reader.lastSampleAt > patience else { return .well }
    return .lost(
      AccelerometerFault(
        .silent, "the \(chip.model.name) at \(Hex.byte(chip.address)) answers, but makes no samples"
      ))
  }

  /// Follows the line after a burst; a verdict only when it is given up.
  private mutating func lineVerdict(_ result: BurstReader.Result, at now: Instant) -> Verdict? {
    guard case .reading(let missedCount) = watch else { return nil }
    watch = .waiting(until: edgeDue(after: now), missedCount: missedCount)
    guard missedCount >= Running.missedEdgesMax, case .batch = result else { return nil }
    return .lineSilent(
      AccelerometerFault(
        .lineSilent,
        "the \(chip.model.name) has samples, but its interrupt line stays still; "
          + "is INT1 (or INT) wired to the line that Interrupt= names?"))
  }

  // MARK: Orders

  private func edgeDue(after now: Instant) -> Instant {
    guard case .watermark(let samples) = recipe.interrupt else { return now }
    let fill = Interval(nanoseconds: Int64(Double(samples) / recipe.rateHz * 1.2e9))
    return now + fill + .milliseconds(50)
  }

  private var samplingPeriod: Interval {
    recipe.fifo == nil ? Interval(nanoseconds: Int64(1e9 / recipe.rateHz)) : recipe.burstPeriod
  }

  private var checkPeriod: Interval {
    switch (mode, recipe.interrupt) {
    case (.resting, .motion): Running.armedCheckPeriod
    case (.resting, .none), (.resting, .watermark), (.streaming, _): Running.checkPeriod
    }
  }

  private func sample(
    firstAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    let order = I2COrder(
      steps: [reader.step(of: chip.address)], period: samplingPeriod,
      toldTogether: recipe.fifo == nil ? 1 : recipe.burstsTogether)
    actions.append(.order(order, number: sampling, dueAt: firstAt))
  }

  private mutating func burst(
    _ number: UInt64, dueAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    sampling = number
    let order = I2COrder(steps: [reader.step(of: chip.address)])
    actions.append(.order(order, number: number, dueAt: dueAt))
  }

  /// Takes the interrupt back, and looks how the board lies now.
  private mutating func acknowledge(
    _ steps: [RegisterStep], _ number: UInt64, dueAt: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) {
    watch = .acknowledging
    sampling = number
    // The sample comes first, so that it is known among the answers.
    let order = I2COrder(
      steps: [reader.step(of: chip.address)] + transfers(steps).map { .transfer($0) })
    actions.append(.order(order, number: number, dueAt: dueAt))
  }

  private func transfers(_ steps: [RegisterStep]) -> [I2CTransfer] {
    steps.compactMap { step in
      switch step {
      case .write(let register, let value, _):
        .write([value], to: register, of: chip.address)
      case .read(let register, let count): .read(count, from: register, of: chip.address)
      case .wait: nil
      }
    }
  }

  /// Empties the FIFO; nothing is read of it until that is done.
  private mutating func restartFIFO(
    _ number: UInt64, dueAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    actions.append(.takeBack(sampling))
    sampling = number
    isRestarting = true
    let order = I2COrder(
      recipe.opening(at: chip.address) + transfers(recipe.fifo?.restart ?? []))
    actions.append(.order(order, number: number, dueAt: dueAt))
  }

  /// The FIFO begins anew.
  private mutating func sampleAgain(
    _ number: UInt64, at now: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    switch watch {
    case .none:
      sampling = number
      sample(firstAt: now + samplingPeriod, into: &actions)
    case .waiting(_, let missedCount), .reading(let missedCount):
      watch = .waiting(until: edgeDue(after: now), missedCount: missedCount)
    case .armed, .acknowledging: break
    }
  }

  /// Reads the identity and all settings, and at rest a sample in between.
  private func check(dueAt: Instant, into actions: inout [AccelerometerMachine.Action]) {
    var steps: [I2COrder.Step] = [
      .transfer(recipe.reading(1, from: chip.identity.register, of: chip.address))
    ]
    if mode == .resting { steps.append(reader.step(of: chip.address)) }
    steps += recipe.lookingBack(at: chip.address).map { .transfer($0) }
    if case .motion(let acknowledge) = recipe.interrupt, watch == .armed {
      // An edge that nobody saw would leave the line raised for good.
      steps += transfers(acknowledge).map { .transfer($0) }
    }
    actions.append(
      .order(I2COrder(steps: steps, period: checkPeriod), number: checking, dueAt: dueAt))
  }
}
