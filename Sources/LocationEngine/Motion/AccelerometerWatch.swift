import Accelerometers
import BinnacleBasics
import BinnacleModel

/// Supervises the accelerometer: its chip, its samples, its faults.
///
/// While an app gets positions, every sample is read. While all updates pause, movement is detected with few wake-ups,
/// by the chip's own interrupt where that is possible (``AccelerometerGuard``). While no app wants positions, the chip
/// rests and is read once a minute; where its interrupt line reports movement, every ten minutes.
struct AccelerometerWatch: Equatable, Codable, Sendable {
  let isThere: Bool
  private(set) var mode = AccelerometerMachine.Mode.resting
  /// The guard of the chip's interrupt while all updates pause; nil otherwise.
  private(set) var guarding: AccelerometerGuard?
  private(set) var state = State.absent
  private(set) var counters = Counters()
  private(set) var last = LastReading.none

  enum State: Equatable, Codable, Sendable {
    /// The board's profile has no accelerometer.
    case absent
    case looking
    case working(AccelerometerDescription)
    /// The chip works with a fault: samples still come.
    case doubtful(AccelerometerDescription, AccelerometerFault)
    case failed(AccelerometerFault)
  }

  struct Counters: Equatable, Codable, Sendable {
    var samples: Int64 = 0
    var lost: Int64 = 0
    var overruns: Int64 = 0
    var saturated: Int64 = 0
    var movements: Int64 = 0
    var findings: Int64 = 0
    var faults: Int64 = 0
  }

  /// Statistics of the last batch.
  enum LastReading: Equatable, Codable, Sendable {
    case none
    /// The mean in g, the instant of the newest sample, and the deviation of the samples from the mean.
    ///
    /// The deviation is the root of the sum of the axes' variances; nil for a single sample.
    case batch(Acceleration, at: Instant, deviationG: Double?)
  }

  init(isThere: Bool) {
    self.isThere = isThere
  }

  /// Whether noise moves the last digit of the chip that these samples are from.
  func showsNoise(in batch: AccelerationBatch) -> Bool {
    switch state {
    case .working(let description), .doubtful(let description, _):
      description.showsNoise(stepG: batch.gPerCount)
    case .absent, .looking, .failed: true
    }
  }

  // MARK: Inputs

  mutating func started(into effects: inout [Effect]) {
    guard isThere else { return }
    state = .looking
    effects.append(.watchAccelerometer(mode))
  }

  /// The need for positions decides how the chip is read.
  mutating func needed(for need: PowerNeed, at now: Instant, into effects: inout [Effect]) {
    switch need {
    case .noClient, .updates: guarding = nil
    case .rest: guarding = guarding ?? AccelerometerGuard(at: now)
    }
    want(guarding?.mode ?? (need == .noClient ? .resting : .streaming), into: &effects)
  }

  mutating func deadlineReached(at now: Instant, into effects: inout [Effect]) {
    guarding?.deadlineReached(at: now)
    if let guarding { want(guarding.mode, into: &effects) }
  }

  /// A rare burst shows possible movement, so the next bursts are read sooner.
  mutating func motionSuspected(at now: Instant, into effects: inout [Effect]) {
    guarding?.moved(at: now)
    if let guarding { want(guarding.mode, into: &effects) }
  }

  var nextDeadline: Instant? { guarding?.nextDeadline }

  private mutating func want(
    _ wanted: AccelerometerMachine.Mode, into effects: inout [Effect]
  ) {
    guard wanted != mode else { return }
    mode = wanted
    effects.append(.watchAccelerometer(mode))
  }

  /// Whether the board has an accelerometer that is of no use now.
  var isLost: Bool {
    if case .failed = state { true } else { false }
  }

  /// How samples are delivered now.
  var sampling: RestWatch.Sampling {
    let reading: AccelerometerDescription.Reading? =
      switch state {
      case .working(let description), .doubtful(let description, _): description.reading
      case .absent, .looking, .failed: nil
      }
    return switch (mode, reading) {
    case (.armed, .armed): .onMovement
    case (.armed, .guarding), (.guarding, .guarding): .seldom
    case (.armed, _), (.guarding, _), (.resting, _), (.streaming, _), (.alert, _): .often
    }
  }

  mutating func arrived(
    _ news: AccelerometerNews, at now: Instant, into effects: inout [Effect]
  ) {
    guard isThere else { return }
    switch news {
    case .found(let description): found(description, into: &effects)
    case .samples(let batch): took(batch)
    case .moved:
      counters.movements += 1
      motionSuspected(at: now, into: &effects)
    case .fault(let fault): failed(fault, into: &effects)
    }
  }

  // MARK: Steps

  private mutating func found(
    _ description: AccelerometerDescription, into effects: inout [Effect]
  ) {
    counters.findings += 1
    let isKnown: Bool =
      switch state {
      case .working(let before): before.model == description.model
      case .doubtful(let before, _): before.model == description.model
      case .absent, .looking, .failed: false
      }
    state = .working(description)
    // The chip is probed again at each change between streaming and resting.
    effects.append(.log(isKnown ? .debug : .notice, "accelerometer: \(description.inWords)"))
  }

  private mutating func took(_ batch: AccelerationBatch) {
    counters.samples += Int64(batch.count)
    counters.lost += Int64(batch.lostCount)
    counters.saturated += Int64(batch.saturatedCount)
    if batch.lostCount > 0 { counters.overruns += 1 }
    guard batch.count > 0 else { return }
    var sum = Acceleration.zero
    for index in 0..<batch.count {
      let one = batch[index]
      sum = Acceleration(x: sum.x + one.x, y: sum.y + one.y, z: sum.z + one.z)
    }
    let count = Double(batch.count)
    let mean = Acceleration(x: sum.x / count, y: sum.y / count, z: sum.z / count)
    var squares = 0.0
    for index in 0..<batch.count {
      let one = batch[index]
      let away = Acceleration(x: one.x - mean.x, y: one.y - mean.y, z: one.z - mean.z)
      squares += away.x * away.x + away.y * away.y + away.z * away.z
    }
    last = .batch(
      mean, at: batch.instant(of: batch.count - 1),
      deviationG: batch.count > 1 ? (squares / count).squareRoot() : nil)
  }

  private mutating func failed(_ fault: AccelerometerFault, into effects: inout [Effect]) {
    counters.faults += 1
    effects.append(.log(.warning, "accelerometer: \(fault)"))
    switch state {
    case .working(let description) where fault.kind.leavesSamples,
      .doubtful(let description, _) where fault.kind.leavesSamples:
      state = .doubtful(description, fault)
    case .absent, .looking, .working, .doubtful, .failed:
      state = .failed(fault)
    }
  }

  // MARK: The report

  func add(to report: inout Report, at now: Instant) {
    switch state {
    case .absent: return
    case .looking: report.add(.accelerometerState, "looking for it")
    case .working(let description):
      report.add(.accelerometerState, "working")
      add(description, to: &report)
    case .doubtful(let description, let fault):
      report.add(.accelerometerState, "doubtful")
      report.add(.accelerometerFaultKind, fault.kind.word)
      report.add(.accelerometerFault, fault.text)
      add(description, to: &report)
    case .failed(let fault):
      report.add(.accelerometerState, "failed")
      report.add(.accelerometerFaultKind, fault.kind.word)
      report.add(.accelerometerFault, fault.text)
    }
    report.add(.accelerometerMode, mode.inWords)
    addReading(to: &report, at: now)
    report.add(.accelerometerSamples, counters.samples)
    report.add(.accelerometerSamplesLost, counters.lost)
    report.add(.accelerometerOverruns, counters.overruns)
    report.add(.accelerometerSamplesSaturated, counters.saturated)
    report.add(.accelerometerMovements, counters.movements)
    report.add(.accelerometerSetups, counters.findings)
    report.add(.accelerometerFaults, counters.faults)
  }

  private func add(_ description: AccelerometerDescription, to report: inout Report) {
    report.add(.accelerometerChip, description.model)
    if description.address > 0 {
      report.add(.accelerometerAddress, Int64(description.address))
    }
    report.add(.accelerometerReading, description.reading.inWords)
    report.add(.accelerometerRate, description.rateHz)
    report.add(.accelerometerRange, Int64(description.rangeG))
    if description.noiseG > 0 {
      report.add(.accelerometerChipNoise, description.noiseG * 1_000)
    }
    report.add(.accelerometerSelfTest, description.selfTest)
  }

  private func addReading(to report: inout Report, at now: Instant) {
    guard case .batch(let mean, let instant, let deviation) = last else { return }
    report.add(.accelerometerLastAge, (now - instant).seconds)
    report.add(.accelerometerLastX, mean.x)
    report.add(.accelerometerLastY, mean.y)
    report.add(.accelerometerLastZ, mean.z)
    if let deviation { report.add(.accelerometerLastDeviation, deviation * 1_000) }
  }
}

extension AccelerometerMachine.Mode {
  fileprivate var inWords: String {
    switch self {
    case .resting: "resting"
    case .streaming: "streaming"
    case .alert: "alert"
    case .guarding: "guarding"
    case .armed: "armed"
    }
  }
}
