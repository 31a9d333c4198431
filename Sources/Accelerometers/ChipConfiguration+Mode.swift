import BinnacleBasics
import I2C

extension ChipDriver {
  /// The configuration of a chip for a use of its samples.
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
      // Without a usable interrupt these modes have the configuration of `guarding`, and only the period of reads
      // differs.
      guard settings.hasLine, step <= ChipConfiguration.motionStepMaxG else {
        return guardingRecipe(for: model, settings)
      }
      return configuration(for: model, settings, use: mode == .armed ? .armed : .streaming)
    }
  }

  /// The fastest rate at which a burst every second or slightly more loses no samples.
  ///
  /// The interrupt line is unused, because a burst on an interrupt costs the loop more wake-ups than a periodic burst.
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
  /// A chip with coarser steps would not detect the start of a car.
  static let motionStepMaxG = 0.0161
  /// The range of the time between bursts.
  ///
  /// Movement is detected one burst later, so the period is limited. If the level must be read before the samples, a
  /// burst wakes the bus thread twice, so the period is longer.
  private var seldomPeriods: (min: Interval, max: Interval) {
    fifo?.isSteady == true
      ? (.milliseconds(1_100), .milliseconds(1_250)) : (.milliseconds(1_550), .milliseconds(1_600))
  }
  /// Bursts without movement are delivered after this time at the latest.
  private static let quietMax = Interval.seconds(10)
  /// The detector's lowest threshold is 5 mg of sway.
  private static let stillSpreadG = 0.006

  /// Whether bursts at a low rate lose no samples and need only one transfer each.
  fileprivate var allowsSeldomBursts: Bool {
    guard let fifo, fifo.capacity > 1 else { return false }
    let samples = rateHz * seldomPeriod.seconds * 1.1
    let isOneTransfer = fifo.manner == .burst || samples * 2 + 2 <= Double(I2CTransfer.partsMax)
    return seldomPeriod >= seldomPeriods.min && isOneTransfer
  }

  /// The period of bursts that are checked for movement: an eighth of the FIFO stays free.
  var seldomPeriod: Interval {
    guard let fifo else { return burstPeriod }
    let samples = Double(fifo.capacity) * 0.875
    return min(seldomPeriods.max, .milliseconds(Int64(samples / rateHz * 1_000)))
  }

  /// The number of bursts without movement that are delivered together.
  var seldomBurstsTogether: Int {
    let bursts = ChipConfiguration.quietMax.nanoseconds / max(1, seldomPeriod.nanoseconds)
    return min(max(1, Int(bursts)), I2COrder.outcomesPerDeliveryMax)
  }

  var stillness: SampleStillness {
    let countG = layout.gPerCount / Double(1 << layout.shift)
    return SampleStillness(
      tagBytes: layout.tagBytes, isBigEndian: layout.isBigEndian,
      spreadMax: Int(ChipConfiguration.stillSpreadG / countG * 16),
      endOfRange: Int(layout.countMax) << layout.shift)
  }

  /// Reads the identity, and in the same transfer all settings and the acknowledgement of the interrupt.
  ///
  /// nil if the reads are too many for one transfer.
  func checkOrder(
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
