import BinnacleBasics
import I2C

/// A chip at work.
struct SamplingState: Equatable, Sendable {
  let chip: Probe.Chip
  private(set) var mode: AccelerometerMachine.Mode
  var reader: BurstReader
  private var frozen = FrozenWatch()
  /// Whether it has made a sample since it was set up.
  private(set) var hasSamples = false
  /// The order that brings samples, and the one that looks after the chip; both are periodic, as a rule.
  var sampling: UInt64 = 0
  var checking: UInt64 = 0
  private var failureCount = 0
  var watch = LineWatch.none
  /// Whether the FIFO is being started again, by the order that brings samples otherwise.
  var isRestarting = false
  var lookManner = LookManner.whole
  /// Looks at the identity alone since the settings were read.
  private var identityCount = 0

  /// How a chip is looked after while updates pause.
  enum LookManner: Equatable, Sendable {
    /// Identity and settings by one transfer a minute.
    case whole
    /// The adapter does not take so many reads in one: the identity each minute, and after ten of them the settings.
    case identity
    case settings
  }

  /// How the interrupt line is followed.
  enum LineWatch: Equatable, Sendable {
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
  static let restingCheckPeriod = Interval.seconds(600)
  /// Looks at a chip that are told at once while they show nothing new.
  static let looksTogether = 10
  /// How long samples wait in the FIFO when something may have moved.
  static let alertPeriod = Interval.milliseconds(500)
  /// Edges that may be missing in a row.
  private static let missedEdgesMax = 3
  /// A board that keeps moving wakes its owner no more often.
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
  /// A FIFO for one sample is none.
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
    // At rest the check brings the sample too, so there the first one comes at once.
    check(dueAt: mode == .resting ? now : now + SamplingState.checkPeriod, into: &actions)
  }

  func stop(into actions: inout [AccelerometerMachine.Action]) {
    actions += [.takeBack(sampling), .takeBack(checking)]
  }

  /// Whether a change of modes changes no more than how often it is read.
  func takes(_ mode: AccelerometerMachine.Mode, _ configuration: ChipConfiguration) -> Bool {
    isGuarded && mode.isGuarded && watch == .none && configuration == self.configuration
  }

  /// It is read as often as this wants from now on.
  mutating func modeChanged(
    to mode: AccelerometerMachine.Mode, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) {
    self.mode = mode
    // What starts the FIFO again goes on as this wants, too.
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
    if isGuarded { lookedAfter(number, at: now, into: &actions) }
    guard mode == .resting else { return .well }
    return deliver(reader.sampleArrived(outcome.answers[1], at: outcome.ended), into: &actions)
  }

  /// Where one transfer cannot do it, settings are read after ten looks at the identity.
  private mutating func lookedAfter(
    _ number: UInt64, at now: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    switch lookManner {
    case .whole: return
    case .identity:
      identityCount += 1
      guard identityCount >= SamplingState.looksTogether else { return }
      identityCount = 0
      lookManner = .settings
      actions.append(.takeBack(checking))
      checking = number
      check(dueAt: now, into: &actions)
    case .settings:
      lookManner = .identity
      checking = number
      check(dueAt: now + SamplingState.checkPeriod, into: &actions)
    }
  }

  /// A failure is nothing, a bus has them; five in a row are the end.
  private mutating func failed(
    _ failure: I2CFault, hasSamples: Bool, number: UInt64, at now: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) -> Verdict {
    if !hasSamples, isGuarded, lookManner == .whole, failure.kind == .refused {
      lookManner = .identity
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
    // Soon, so that the FIFO does not run over meanwhile, and later each time.
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
    // A burst that comes seldom has samples of more than a second.
    let patience = isGuarded && hasFIFO ? .seconds(1) : max(.seconds(2), samplingPeriod * 4)
    guard isSampling, instant - reader.lastSampleAt > patience else { return .well }
    return .lost(
      AccelerometerFault(
        .silent, "the \(chip.model.name) at \(Hex.byte(chip.address)) answers, but makes no samples"
      ))
  }

  /// Follows the line after a burst; a verdict only when it is given up.
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
