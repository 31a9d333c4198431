public import BinnacleBasics
public import I2C

/// Controls one accelerometer from the probe to its samples: outcomes of the bus in, orders for the bus out.
///
///     idle --started--> probing --found--> preparing --verified--> running
///     probing --nothing--> waiting --time-out--> probing
///     preparing, running --no answer, settings lost, no samples--> waiting
///     running --another mode is requested--> preparing
///
/// Preparing consists of the self-test (once after the chip was found), writing the registers, and reading them back.
/// While the chip streams, the FIFO is read by one periodic order, or when the interrupt line signals. Once a minute
/// the identity and all settings are read again, so that a chip that lost its power is configured again. In mode
/// `resting` with an interrupt line the period of this check is ten minutes.
public struct AccelerometerMachine: Equatable, Sendable {
  /// The use of the samples.
  public enum Mode: UInt8, CaseIterable, Codable, Sendable {
    /// One sample a minute; one in ten minutes if an interrupt line signals movement.
    case resting = 0
    /// Every sample.
    case streaming = 1
    /// Every sample, with short delay: the board may have moved.
    case alert = 2
    /// Movement is detected with few wake-ups: bursts are rare, and only bursts with movement are delivered at once.
    case guarding = 3
    /// As `guarding`, but with the chip's own interrupt if its threshold is fine enough and its line is wired.
    case armed = 4
  }

  public enum Action: Equatable, Sendable {
    /// Pass an order to the bus; the outcome has the same number.
    case order(I2COrder, number: UInt64, dueAt: Instant)
    /// Cancel an order.
    case takeBack(UInt64)
    /// A chip is in use as described.
    case found(AccelerometerDescription)
    case samples(AccelerationBatch)
    /// The chip's line signaled movement.
    case moved(Instant)
    case fault(AccelerometerFault)
  }

  enum State: Equatable, Sendable {
    case idle
    case probing(Probe)
    case preparing(Preparation)
    case sampling(SamplingState)
    case waiting(until: Instant)
  }

  /// The largest number of attempts to set a value.
  static let preparationsMax = 3

  let settings: AccelerometerSettings
  public private(set) var mode: Mode
  private(set) var state = State.idle
  private var lastNumber: UInt64 = 0
  /// The order that the state waits for; in the running state, sampling and checks have their own orders.
  private var pending: UInt64?
  private var attempts = 0
  private var selfTest: SelfTest.Result?
  private var lastFault: AccelerometerFailure?
  /// Consecutive rounds in which the chip answered, was configured and produced no samples.
  ///
  /// The fault is reported once, and the delay to the next round grows.
  private var silentRounds = 0
  /// The description of a chip without samples so far; it is reported with the first sample.
  private var withheld: AccelerometerDescription?
  private var hasLine: Bool

  public init(_ settings: AccelerometerSettings, mode: Mode) {
    self.settings = settings
    self.mode = mode
    hasLine = settings.hasLine
  }

  // MARK: Inputs

  public mutating func started(at now: Instant, into actions: inout [Action]) {
    if case .idle = state { probe(at: now, into: &actions) }
  }

  /// The use of the samples changes.
  public mutating func modeWanted(_ mode: Mode, at now: Instant, into actions: inout [Action]) {
    guard mode != self.mode else { return }
    self.mode = mode
    guard case .sampling(var sampling) = state else { return }
    if sampling.takes(mode, preparation(of: sampling.chip).configuration) {
      sampling.modeChanged(to: mode, number: nextNumber(), at: now, into: &actions)
      state = .sampling(sampling)
      return
    }
    sampling.stop(into: &actions)
    prepare(sampling.chip, isTested: true, at: now, into: &actions)
  }

  /// The interrupt line became active.
  public mutating func lineRose(at edge: Instant, into actions: inout [Action]) {
    guard case .sampling(var sampling) = state else { return }
    sampling.lineRose(at: edge, number: nextNumber(), into: &actions)
    state = .sampling(sampling)
  }

  /// The line is unavailable: the chip is polled.
  public mutating func lineLost(at now: Instant, into actions: inout [Action]) {
    guard hasLine else { return }
    hasLine = false
    guard case .sampling(let sampling) = state else { return }
    sampling.stop(into: &actions)
    prepare(sampling.chip, isTested: true, at: now, into: &actions)
  }

  /// The line is available.
  public mutating func lineFound(at now: Instant, into actions: inout [Action]) {
    guard settings.hasLine, !hasLine else { return }
    hasLine = true
    guard case .sampling(let sampling) = state else { return }
    sampling.stop(into: &actions)
    prepare(sampling.chip, isTested: true, at: now, into: &actions)
  }

  public mutating func orderEnded(
    _ outcome: I2COrder.Outcome, at now: Instant, into actions: inout [Action]
  ) {
    switch state {
    case .idle, .waiting: return
    case .probing(let probe):
      guard outcome.ticket.number == pending else { return }
      probeEnded(probe, outcome, at: now, into: &actions)
    case .preparing(let preparation):
      guard outcome.ticket.number == pending else { return }
      preparationEnded(preparation, outcome, at: now, into: &actions)
    case .sampling(var sampling):
      let verdict = sampling.orderEnded(outcome, number: nextNumber(), at: now, into: &actions)
      state = .sampling(sampling)
      follow(verdict, of: sampling, at: now, into: &actions)
    }
  }

  public mutating func deadlineReached(at now: Instant, into actions: inout [Action]) {
    guard let due = nextDeadline, due <= now else { return }
    switch state {
    case .idle, .probing, .preparing: return
    case .waiting: probe(at: now, into: &actions)
    case .sampling(var sampling):
      let verdict = sampling.deadlineReached(at: now, number: nextNumber(), into: &actions)
      state = .sampling(sampling)
      follow(verdict, of: sampling, at: now, into: &actions)
    }
  }

  public var nextDeadline: Instant? {
    switch state {
    case .idle, .probing, .preparing: nil
    case .waiting(let until): until
    case .sampling(let sampling): sampling.nextDeadline
    }
  }

  // MARK: Probing

  private mutating func probe(at now: Instant, into actions: inout [Action]) {
    selfTest = nil
    let probe = Probe(settings)
    check(probe, probe.next, at: now, into: &actions)
  }

  private mutating func probeEnded(
    _ probe: Probe, _ outcome: I2COrder.Outcome, at now: Instant, into actions: inout [Action]
  ) {
    var probe = probe
    let next = probe.orderEnded(outcome)
    check(probe, next, at: now, into: &actions)
  }

  private mutating func check(
    _ probe: Probe, _ next: Probe.Outcome, at now: Instant, into actions: inout [Action]
  ) {
    switch next {
    case .check(let order):
      state = .probing(probe)
      give(order, at: now, into: &actions)
    case .found(let chip):
      attempts = 0
      prepare(chip, isTested: false, at: now, into: &actions)
    case .nothing(let fault): fail(fault, at: now, into: &actions)
    }
  }

  // MARK: Preparing

  private mutating func prepare(
    _ chip: Probe.Chip, isTested: Bool, at now: Instant, into actions: inout [Action]
  ) {
    go(on: preparation(of: chip, isTested: isTested), at: now, into: &actions)
  }

  private func preparation(of chip: Probe.Chip, isTested: Bool = true) -> Preparation {
    var settings = settings
    settings.hasLine = hasLine
    return Preparation(chip, settings, mode: mode, isTested: isTested)
  }

  private mutating func go(
    on preparation: Preparation, at now: Instant, into actions: inout [Action]
  ) {
    state = .preparing(preparation)
    let (order, dueAt) = preparation.order(at: now)
    give(order, dueAt: dueAt, at: now, into: &actions)
  }

  private mutating func preparationEnded(
    _ preparation: Preparation, _ outcome: I2COrder.Outcome, at now: Instant,
    into actions: inout [Action]
  ) {
    if let failure = outcome.failure {
      return tryAgain(
        preparation, AccelerometerFault(failure), at: now, into: &actions)
    }
    var preparation = preparation
    switch preparation.orderEnded(outcome.answers) {
    case .goOn: go(on: preparation, at: now, into: &actions)
    case .tested(let result):
      selfTest = result
      if case .failed(let text) = result {
        report(
          AccelerometerFault(.selfTestFailed, "the self-test of the \(preparation.name): \(text)"),
          into: &actions)
      }
      go(on: preparation, at: now, into: &actions)
    case .refused(let text):
      let fault = AccelerometerFault(.setupRefused, "\(preparation.name): \(text)")
      tryAgain(preparation, fault, at: now, into: &actions)
    case .done:
      // The requested use may have changed meanwhile.
      guard preparation.mode == mode, preparation.hasLine == hasLine else {
        return prepare(preparation.chip, isTested: true, at: now, into: &actions)
      }
      run(preparation, at: now, into: &actions)
    }
  }

  private mutating func tryAgain(
    _ preparation: Preparation, _ fault: AccelerometerFault, at now: Instant,
    into actions: inout [Action]
  ) {
    attempts += 1
    guard attempts < AccelerometerMachine.preparationsMax else {
      return fail(fault, at: now, into: &actions)
    }
    prepare(preparation.chip, isTested: selfTest != nil, at: now, into: &actions)
  }

  private mutating func run(
    _ preparation: Preparation, at now: Instant, into actions: inout [Action]
  ) {
    var sampling = SamplingState(
      preparation.chip, preparation.configuration, mode: preparation.mode, startedAt: now)
    let description = sampling.description(selfTest: selfTest)
    withheld = silentRounds > 0 && sampling.isSampling ? description : nil
    if withheld == nil { actions.append(.found(description)) }
    lastFault = lastFault == .selfTestFailed || lastFault == .lineSilent ? lastFault : nil
    sampling.start(at: now, numbers: (nextNumber(), nextNumber()), into: &actions)
    state = .sampling(sampling)
  }

  // MARK: SamplingState

  private mutating func follow(
    _ verdict: SamplingState.Verdict, of sampling: SamplingState, at now: Instant,
    into actions: inout [Action]
  ) {
    if sampling.hasSamples { samplesCame(into: &actions) }
    switch verdict {
    case .well: attempts = 0
    case .note(let fault): report(fault, into: &actions)
    case .lineSilent(let fault):
      report(fault, into: &actions)
      lineLost(at: now, into: &actions)
    case .resetByItself:
      sampling.stop(into: &actions)
      report(
        AccelerometerFault(
          .vanished, "the \(sampling.chip.model.name) lost its settings and is set up again"),
        into: &actions)
      attempts = 0
      prepare(sampling.chip, isTested: true, at: now, into: &actions)
    case .lost(let fault):
      sampling.stop(into: &actions)
      fail(fault, at: now, into: &actions)
    }
  }

  private mutating func samplesCame(into actions: inout [Action]) {
    silentRounds = 0
    guard let description = withheld else { return }
    withheld = nil
    let place = actions.firstIndex { if case .samples = $0 { true } else { false } }
    actions.insert(.found(description), at: place ?? actions.endIndex)
  }

  // MARK: Steps

  private mutating func give(
    _ order: I2COrder, dueAt: Instant? = nil, at now: Instant, into actions: inout [Action]
  ) {
    let number = nextNumber()
    pending = number
    actions.append(.order(order, number: number, dueAt: dueAt ?? now))
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  private mutating func fail(
    _ fault: AccelerometerFault, at now: Instant, into actions: inout [Action]
  ) {
    report(fault, into: &actions)
    attempts += 1
    if fault.kind == .silent { silentRounds += 1 }
    pending = nil
    let count = max(attempts, silentRounds)
    state = .waiting(until: now + AccelerometerMachine.pause(after: count))
  }

  /// Reports a fault once while the fault continues.
  ///
  /// A chip held by the kernel is reported each time, because its driver may
  /// have become readable.
  private mutating func report(_ fault: AccelerometerFault, into actions: inout [Action]) {
    guard fault.kind != lastFault || fault.kind == .heldByKernel else { return }
    if silentRounds > 0, [.silent, .selfTestFailed].contains(fault.kind) { return }
    lastFault = fault.kind
    actions.append(.fault(fault))
  }

  private static func pause(after attempts: Int) -> Interval {
    switch attempts {
    case ...1: .seconds(1)
    case 2: .seconds(2)
    case 3: .seconds(5)
    case 4: .seconds(10)
    default: .seconds(30)
    }
  }
}
