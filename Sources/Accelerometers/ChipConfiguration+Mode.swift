import BinnacleBasics
import I2C

extension ChipDriver {
  /// How a chip is set up and read for what its samples are wanted for.
  static func configuration(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings,
    mode: AccelerometerMachine.Mode
  ) -> ChipConfiguration {
    switch mode {
    case .resting: return configuration(for: model, settings, use: .resting)
    case .streaming: return configuration(for: model, settings, use: .streaming)
    case .guarding: return guardingRecipe(for: model, settings)
    case .alert, .armed:
      let step = motionStepG(of: model, settings) ?? .infinity
      // A chip that is read anyway is not set up anew for reading it sooner.
      guard settings.hasLine, step <= ChipConfiguration.motionStepMaxG else {
        return guardingRecipe(for: model, settings)
      }
      return configuration(for: model, settings, use: mode == .armed ? .armed : .streaming)
    }
  }

  /// The fastest rate at which one burst in little more than a second loses nothing.
  ///
  /// The line is left alone: a burst that it calls for costs the loop a wake-up more than one by the clock.
  private static func guardingRecipe(
    for model: ChipIdentity.Model, _ settings: AccelerometerSettings
  ) -> ChipConfiguration {
    var seldom = settings
    seldom.hasLine = false
    var configuration = configuration(for: model, seldom, use: .streaming)
    for rateHz in [25, 12, 10] where !configuration.allowsSeldomBursts && rateHz < settings.rateHz {
      seldom.rateHz = rateHz
      configuration = self.configuration(for: model, seldom, use: .streaming)
    }
    return configuration
  }
}

extension ChipConfiguration {
  /// Coarser interrupts sleep through a car that drives off.
  static let motionStepMaxG = 0.0161
  /// Movement is known a burst later, so bursts come no more seldom than this; where the level has to be asked for
  /// first, a burst wakes the bus's thread once more.
  private var seldomPeriods: (min: Interval, max: Interval) {
    fifo?.isSteady == true
      ? (.milliseconds(1_100), .milliseconds(1_250)) : (.milliseconds(1_550), .milliseconds(1_600))
  }
  /// What is still is told after this at the latest.
  private static let quietMax = Interval.seconds(10)
  /// The detector's least threshold is 5 mg of sway.
  private static let stillSpreadG = 0.006

  /// Whether bursts that come seldom lose nothing and take one transfer each.
  fileprivate var allowsSeldomBursts: Bool {
    guard let fifo, fifo.capacity > 1 else { return false }
    let samples = rateHz * seldomPeriod.seconds * 1.1
    let isOneTransfer = fifo.manner == .burst || samples * 2 + 2 <= Double(I2CTransfer.partsMax)
    return seldomPeriod >= seldomPeriods.min && isOneTransfer
  }

  /// The distance of bursts while movement is looked for: an eighth of the FIFO stays free.
  var seldomPeriod: Interval {
    guard let fifo else { return burstPeriod }
    let samples = Double(fifo.capacity) * 0.875
    return min(seldomPeriods.max, .milliseconds(Int64(samples / rateHz * 1_000)))
  }

  /// How many bursts in which nothing stirs are told at once.
  var seldomBurstsTogether: Int {
    let bursts = ChipConfiguration.quietMax.nanoseconds / max(1, seldomPeriod.nanoseconds)
    return min(max(1, Int(bursts)), I2COrder.toldTogetherMax)
  }

  var stillness: SampleStillness {
    let countG = layout.gPerCount / Double(1 << layout.shift)
    return SampleStillness(
      tagBytes: layout.tagBytes, isBigEndian: layout.isBigEndian,
      spreadMax: Int(ChipConfiguration.stillSpreadG / countG * 16),
      endOfRange: Int(layout.countMax) << layout.shift)
  }

  /// Reads the identity and, where the adapter takes so many reads in a transfer, all settings and what takes an
  /// interrupt back with it; nil when that is too much for one transfer.
  func look(
    at chip: Probe.Chip, acknowledge: [RegisterStep]
  ) -> (transfer: I2CTransfer, answers: [[UInt8]?])? {
    let identity = reading(1, from: chip.identity.register, of: chip.address)
    var parts = identity.parts
    for transfer in lookingBack(at: chip.address) { parts += transfer.parts }
    for case .read(let register, let count) in acknowledge {
      parts += [.write([register]), .read(count)]
    }
    guard parts.count <= I2CTransfer.partsMax else { return nil }
    let values = lastingValues.map { $0.mask == 0xFF ? [$0.value] : nil }
    return (I2CTransfer(address: chip.address, parts: parts), [[chip.model.value]] + values)
  }
}
