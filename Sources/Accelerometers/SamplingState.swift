import BinnacleBasics
import I2C

/// A running chip.
struct SamplingState: Equatable, Sendable {
  let chip: Probe.Chip
  private(set) var mode: AccelerometerMachine.Mode
  var reader: BurstReader
  private var frozen = FrozenWatch()
  /// Whether the chip has produced a sample since its configuration.
  private(set) var hasSamples = false
  /// The order that reads samples, and the order that checks the chip; both are usually periodic.
  var sampling: UInt64 = 0
  var checking: UInt64 = 0
  private var failureCount = 0
  var watch = LineWatch.none
  /// Whether the sampling order at present restarts the FIFO.
  var isRestarting = false
  var checkManner = CheckManner.whole
  /// Checks of the identity alone since the last check of the settings.
  private var identityCount = 0

  /// The way of checking a chip while updates pause.
  enum CheckManner: Equatable, Sendable {
    /// One transfer per minute reads identity and settings.
    case whole
    /// The identity is read each minute, and after ten of these reads the settings.
    ///
    /// This is for an adapter that accepts too few reads per transfer.
    case identity
    case settings
  }

  /// The state of the interrupt line.
  enum LineWatch: Equatable, Sendable {
    case none
    /// An edge is expected by this time.
    case waiting(until: Instant, missedCount: Int)
    /// The FIFO is being read; `missedCount` edges were missed.
    case reading(missedCount: Int)
    /// Movement was reported and is being acknowledged.
    case acknowledging
    case armed
  }

  enum Verdict: Equatable, Sendable {
    case well
    /// There is a fault, and samples continue.
    case note(AccelerometerFault)
    case lineSilent(AccelerometerFault)
    /// The chip answers but has lost its configuration.
    case resetByItself
    case lost(AccelerometerFault)
  }

  /// The number of consecutive failures after which the chip counts as gone.
  static let failuresMax = 5
  static let checkPeriod = Interval.seconds(60)
  /// The check period of a resting chip with a motion interrupt.
  ///
  /// The period is longer because each register is a transfer, and each transfer wakes the bus thread.
  static let restingCheckPeriod = Interval.seconds(600)
  /// The number of checks without a change that are delivered together.
  static let checksPerDelivery = 10
  /// The time between bursts while movement is suspected.
  static let alertPeriod = Interval.milliseconds(500)
  /// The largest number of consecutive missing edges.
  private static let missedEdgesMax = 3
  /// The shortest time between two movement interrupts of a board that keeps moving.
  private static let acknowledgePause = Interval.seconds(1)

  init(
    _ chip: Probe.Chip, _ configuration: ChipConfiguration, mode: AccelerometerMachine.Mode,
    startedAt now: Instant
  ) {
    self.chip = chip
    self.mode = mode
    reader = BurstReader(configuration, startedAt: now)
  }

  var configuration: ChipConfiguration { reader.configuration }
  /// A FIFO for one sample does not count.
  var hasFIFO: Bool { configuration.fifo.map { $0.capacity > 1 } ?? false }

  func description(selfTest: SelfTest.Result?) -> AccelerometerDescription {
    let reading: AccelerometerDescription.Reading =
      switch (mode, configuration.interrupt) {
      case (.resting, .motion): .restingWithInterrupt
      case (.resting, .none), (.resting, .watermark): .resting
      case (.armed, .motion): .armed
      case (.guarding, _), (.armed, _): hasFIFO ? .guarding : .polled
      case (.streaming, .watermark), (.alert, .watermark): .interrupt
      case (.streaming, _), (.alert, _): hasFIFO ? .polledFIFO : .polled
      }
    let words =
      switch selfTest {
      case .passed: "passed"
      case .failed(let text): "failed: \(text)"
      case .inconclusive(let text): "inconclusive: \(text)"
      case nil: "the chip has none"
      }
    return AccelerometerDescription(
      model: chip.model.name, address: chip.address, reading: reading, rateHz: configuration.rateHz,
      rangeG: configuration.rangeG, noiseG: configuration.scatterG, selfTest: words)
  }

  // MARK: Beginning and end

  mutating func start(
    at now: Instant, numbers: (UInt64, UInt64), into actions: inout [AccelerometerMachine.Action]
  ) {
    sampling = numbers.0
    checking = numbers.1
    switch (mode, configuration.interrupt) {
    case (.resting, .motion), (.armed, .motion): watch = .armed
    case (.resting, .none), (.resting, .watermark): break
    case (.streaming, .watermark), (.alert, .watermark), (.guarding, .watermark),
      (.armed, .watermark):
      watch = .waiting(until: edgeDue(after: now), missedCount: 0)
    case (.streaming, _), (.alert, _), (.guarding, _), (.armed, .none):
      sample(firstAt: now + samplingPeriod, into: &actions)
    }
    // At rest the check also reads the sample, so the first check is immediate.
    check(dueAt: mode == .resting ? now : now + SamplingState.checkPeriod, into: &actions)
  }

  func stop(into actions: inout [AccelerometerMachine.Action]) {
    actions += [.takeBack(sampling), .takeBack(checking)]
  }

  /// Whether a change of modes changes only the period of reading.
  func takes(_ mode: AccelerometerMachine.Mode, _ configuration: ChipConfiguration) -> Bool {
    isGuarded && mode.isGuarded && watch == .none && configuration == self.configuration
  }

  /// Changes the period of reading.
  mutating func modeChanged(
    to mode: AccelerometerMachine.Mode, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) {
    self.mode = mode
    // The restart of the FIFO continues with the new period.
    if isRestarting { return }
    actions.append(.takeBack(sampling))
    sampling = number
    sample(firstAt: now + samplingPeriod, into: &actions)
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
      guard case .motion(let steps) = configuration.interrupt else { return }
      actions.append(.moved(edge))
      acknowledge(steps, number, dueAt: edge + SamplingState.acknowledgePause, into: &actions)
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
    let hasSamples = outcome.ticket.number == sampling
    guard hasSamples || outcome.ticket.number == checking else { return .well }
    if let failure = outcome.failure {
      return failed(failure, hasSamples: hasSamples, number: number, at: now, into: &actions)
    }
    failureCount = 0
    if hasSamples, isRestarting {
      isRestarting = false
      reader.restarted(at: outcome.ended)
      sampleAgain(number, at: now, into: &actions)
      return .well
    }
    if hasSamples { return sampled(outcome, number: number, at: now, into: &actions) }
    return checked(outcome, number: number, at: now, into: &actions)
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
    guard configuration.fifo != nil else {
      return deliver(
        reader.sampleArrived(outcome.answers[0], at: outcome.ended), into: &actions)
    }
    // The order begins with the level, so the start of the order is the time of the level.
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
    hasSamples = true
    guard isSampling, configuration.noiseShows, frozen.samplesArrived(batch) else { return .well }
    let names = frozen.axes.map { FrozenWatch.name($0) }.joined(separator: " and ")
    return .note(
      AccelerometerFault(
        .frozen, "\(chip.model.name): axis \(names) has not changed for 10 s"))
  }

  private mutating func checked(
    _ outcome: I2COrder.Outcome, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    guard outcome.answers[0] == [chip.model.value] else {
      return .lost(
        AccelerometerFault(
          .unknownChip,
          "the chip at \(Hex.byte(chip.address)) says that it is another one: register "
            + "\(Hex.byte(chip.identity.register)) reads \(Hex.byte(outcome.answers[0][0]))"))
    }
    let skipped = mode == .resting ? 2 : 1
    guard configuration.difference(in: Array(outcome.answers[skipped...])) == nil else {
      return .resetByItself
    }
    if isGuarded { guardAnswered(number, at: now, into: &actions) }
    guard mode == .resting else { return .well }
    return deliver(reader.sampleArrived(outcome.answers[1], at: outcome.ended), into: &actions)
  }

  /// If one transfer cannot read all settings, they are read after ten checks of the identity.
  private mutating func guardAnswered(
    _ number: UInt64, at now: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    switch checkManner {
    case .whole: return
    case .identity:
      identityCount += 1
      guard identityCount >= SamplingState.checksPerDelivery else { return }
      identityCount = 0
      checkManner = .settings
      actions.append(.takeBack(checking))
      checking = number
      check(dueAt: now, into: &actions)
    case .settings:
      checkManner = .identity
      checking = number
      check(dueAt: now + SamplingState.checkPeriod, into: &actions)
    }
  }

  /// Handles a failed order: single failures are normal on a bus, five in a row are a fault.
  private mutating func failed(
    _ failure: I2CFault, hasSamples: Bool, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    if !hasSamples, isGuarded, checkManner == .whole, failure.kind == .refused {
      checkManner = .identity
      checking = number
      check(dueAt: now, into: &actions)
      return .well
    }
    failureCount += 1
    let isFinal: Bool =
      switch failure.kind {
      case .noAcknowledge, .timeOut, .arbitrationLost, .failed:
        failureCount >= SamplingState.failuresMax
      case .busy, .gone, .missing, .notPermitted, .refused: true
      }
    if isFinal { return .lost(AccelerometerFault(failure)) }
    // The retry is soon, so that the FIFO does not overflow; each further retry is later.
    let retryAt = now + .milliseconds(40) * Int64(failureCount)
    guard hasSamples else {
      checking = number
      check(dueAt: retryAt, into: &actions)
      return .well
    }
    if let fifo = configuration.fifo, isRestarting || fifo.losesPlace {
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
      guard case .motion(let steps) = configuration.interrupt else { break }
      acknowledge(steps, number, dueAt: retryAt, into: &actions)
    }
    return .well
  }

  private func silence(at instant: Instant) -> Verdict {
    // A burst at a low rate has the samples of more than a second.
    let patience = isGuarded && hasFIFO ? .seconds(1) : max(.seconds(2), samplingPeriod * 4)
    guard isSampling, instant - reader.lastSampleAt > patience else { return .well }
    return .lost(
      AccelerometerFault(
        .silent, "the \(chip.model.name) at \(Hex.byte(chip.address)) answers, but makes no samples"
      ))
  }

  /// Follows the line after a burst; returns a verdict only if the line is abandoned.
  private mutating func lineVerdict(_ result: BurstReader.Result, at now: Instant) -> Verdict? {
    guard case .reading(let missedCount) = watch else { return nil }
    watch = .waiting(until: edgeDue(after: now), missedCount: missedCount)
    guard missedCount >= SamplingState.missedEdgesMax, case .batch = result else { return nil }
    return .lineSilent(
      AccelerometerFault(
        .lineSilent,
        "the \(chip.model.name) has samples, but its interrupt line stays still; "
          + "is INT1 (or INT) wired to the line that Interrupt= names?"))
  }
}
