import BinnacleBasics
import I2C

/// The orders of a running chip.
extension AccelerometerMachine.Mode {
  /// Whether the chip is checked for movement while updates pause.
  var isGuarded: Bool {
    switch self {
    case .resting, .streaming: false
    case .alert, .guarding, .armed: true
    }
  }
}

extension SamplingState {
  func edgeDue(after now: Instant) -> Instant {
    guard case .watermark(let samples) = configuration.interrupt else { return now }
    let fill = Interval(nanoseconds: Int64(Double(samples) / configuration.rateHz * 1.2e9))
    return now + fill + .milliseconds(50)
  }

  var samplingPeriod: Interval {
    guard configuration.fifo != nil else {
      return Interval(nanoseconds: Int64(1e9 / configuration.rateHz))
    }
    return switch mode {
    case .streaming, .resting: configuration.burstPeriod
    case .alert: min(configuration.burstPeriod, SamplingState.alertPeriod)
    case .guarding, .armed: configuration.seldomPeriod
    }
  }

  var checkPeriod: Interval {
    switch (mode, configuration.interrupt) {
    case (.resting, .motion): SamplingState.restingCheckPeriod
    case (.resting, .none), (.resting, .watermark), (.streaming, _), (.alert, _), (.guarding, _),
      (.armed, _):
      SamplingState.checkPeriod
    }
  }

  /// Whether each sample is read.
  var isSampling: Bool { mode != .resting && !isArmed }

  /// Whether the chip is checked for movement while updates pause.
  var isGuarded: Bool { mode.isGuarded }

  /// Whether the chip itself detects movement.
  var isArmed: Bool {
    guard mode == .armed, case .motion = configuration.interrupt else { return false }
    return true
  }

  func sample(
    firstAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    let steps = [reader.step(of: chip.address)]
    let order: I2COrder =
      switch mode {
      case .guarding where hasFIFO, .armed where hasFIFO:
        I2COrder(
          steps: steps, period: samplingPeriod,
          outcomesPerDelivery: configuration.seldomBurstsTogether,
          quiet: .stillness(configuration.stillness))
      case .alert: I2COrder(steps: steps, period: samplingPeriod)
      case .streaming, .resting, .guarding, .armed:
        I2COrder(
          steps: steps, period: samplingPeriod,
          outcomesPerDelivery: configuration.fifo == nil ? 1 : configuration.burstsTogether)
      }
    actions.append(.order(order, number: sampling, dueAt: firstAt))
  }

  mutating func burst(
    _ number: UInt64, dueAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    sampling = number
    let order = I2COrder(steps: [reader.step(of: chip.address)])
    actions.append(.order(order, number: number, dueAt: dueAt))
  }

  /// Clears the interrupt and reads the present position.
  mutating func acknowledge(
    _ steps: [RegisterStep], _ number: UInt64, dueAt: Instant,
    into actions: inout [AccelerometerMachine.Action]
  ) {
    watch = .acknowledging
    sampling = number
    // The sample is read first, so that its position among the answers is fixed.
    let order = I2COrder(
      steps: [reader.step(of: chip.address)] + transfers(steps).map { .transfer($0) })
    actions.append(.order(order, number: number, dueAt: dueAt))
  }

  func transfers(_ steps: [RegisterStep]) -> [I2CTransfer] {
    steps.compactMap { step in
      switch step {
      case .write(let register, let value, _):
        .write([value], to: register, of: chip.address)
      case .read(let register, let count): .read(count, from: register, of: chip.address)
      case .wait: nil
      }
    }
  }

  /// Empties the FIFO; the FIFO is not read until then.
  mutating func restartFIFO(
    _ number: UInt64, dueAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    actions.append(.takeBack(sampling))
    sampling = number
    isRestarting = true
    let order = I2COrder(
      configuration.opening(at: chip.address) + transfers(configuration.fifo?.restart ?? []))
    actions.append(.order(order, number: number, dueAt: dueAt))
  }

  /// Starts sampling again.
  mutating func sampleAgain(
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
  mutating func check(
    dueAt: Instant, into actions: inout [AccelerometerMachine.Action]
  ) {
    if isGuarded, checkManner != .settings {
      actions.append(.order(check(), number: checking, dueAt: dueAt))
      return
    }
    var steps: [I2COrder.Step] = [
      .transfer(configuration.reading(1, from: chip.identity.register, of: chip.address))
    ]
    if mode == .resting { steps.append(reader.step(of: chip.address)) }
    steps += configuration.lookingBack(at: chip.address).map { .transfer($0) }
    if case .motion(let acknowledge) = configuration.interrupt, watch == .armed {
      // After a missed edge, only an acknowledgement releases the line.
      steps += transfers(acknowledge).map { .transfer($0) }
    }
    let period = isGuarded ? nil : checkPeriod
    actions.append(
      .order(I2COrder(steps: steps, period: period), number: checking, dueAt: dueAt))
  }

  /// The periodic check while updates pause; checks without a change are delivered together.
  mutating func check() -> I2COrder {
    var acknowledge: [RegisterStep] = []
    if case .motion(let steps) = configuration.interrupt { acknowledge = steps }
    if checkManner == .whole,
      let whole = configuration.checkOrder(at: chip, acknowledge: acknowledge)
    {
      return I2COrder(
        steps: [.transfer(whole.transfer)], period: SamplingState.checkPeriod,
        outcomesPerDelivery: SamplingState.checksPerDelivery, quiet: .answers(whole.answers))
    }
    checkManner = .identity
    let identity = configuration.reading(1, from: chip.identity.register, of: chip.address)
    return I2COrder(
      steps: [.transfer(identity)], period: SamplingState.checkPeriod,
      outcomesPerDelivery: SamplingState.checksPerDelivery, quiet: .answers([[chip.model.value]]))
  }
}
