import BinnacleBasics
import I2C

/// Converts a FIFO's content into batches: samples with times, the number of lost samples, and samples out of range.
struct BurstReader: Equatable, Sendable {
  let configuration: ChipConfiguration
  private let fifo: ChipConfiguration.FIFO?
  private var clock: SampleClock
  private(set) var lastSampleAt: Instant

  enum Result: Equatable, Sendable {
    case batch(AccelerationBatch)
    case nothing
    /// The FIFO's content is useless, and the FIFO must be restarted; `lostCount` samples are lost.
    case restart(lostCount: Int)
  }

  private var owedCount = 0
  private var hasBegun = false

  init(_ configuration: ChipConfiguration, startedAt now: Instant) {
    self.configuration = configuration
    fifo = configuration.fifo
    clock = SampleClock(rateHz: configuration.rateHz)
    lastSampleAt = now
  }

  /// The step that reads the FIFO, or the single sample of a chip without a FIFO.
  func step(of address: UInt8) -> I2COrder.Step {
    guard let fifo else {
      return .transfer(
        configuration.reading(
          configuration.layout.byteCount, from: configuration.sampleRegister, of: address))
    }
    return .counted(
      I2CCountedRead(
        level: configuration.reading(fifo.levelBytes, from: fifo.levelRegister, of: address),
        isBigEndian: fifo.isBigEndian, mask: fifo.mask, unitBytes: fifo.unitBytes,
        wholeBytes: configuration.layout.byteCount,
        bytesMax: min(
          fifo.capacity * configuration.layout.byteCount,
          I2CTransfer.partBytesMax / configuration.layout.byteCount * configuration.layout.byteCount
        ),
        register: fifo.dataRegister, manner: fifo.manner,
        isSteady: fifo.isSteady))
  }

  /// Takes the level and the bytes of the FIFO.
  ///
  /// The time is that of reading the level. Without a level all bytes are samples that were certainly present.
  mutating func burstArrived(_ level: [UInt8], _ bytes: [UInt8], at instant: Instant) -> Result {
    var count = bytes.count / configuration.layout.byteCount
    guard !level.isEmpty else { return unseenArrived(bytes, count: count, at: instant) }
    let levelCount = samples(at: level)
    if count > levelCount {
      owedCount += strayCount(bytes, from: levelCount)
      count = levelCount
    }
    if let fifo, isOverrun(level, fifo) || isPartial(level, fifo) {
      let keptCount = fifo.restart.isEmpty ? levelCount : 0
      // Samples from before the first burst are not needed, so they do not count as lost.
      let lostCount = hasBegun ? max(1, clock.expectedCount(at: instant) - keptCount) : 0
      clock.restart()
      owedCount += lostCount
      if !fifo.restart.isEmpty {
        lastSampleAt = instant
        return .restart(lostCount: lostCount)
      }
    }
    hasBegun = true
    guard count > 0 else { return .nothing }
    lastSampleAt = instant
    let first = clock.stamp(
      count: count, leftCount: max(0, levelCount - count), readAt: instant)
    return .batch(batch(bytes, count: count, first: first, interval: clock.interval))
  }

  private mutating func unseenArrived(
    _ bytes: [UInt8], count: Int, at instant: Instant
  ) -> Result {
    guard count > 0 else { return .nothing }
    lastSampleAt = instant
    let first = clock.stamp(unseenCount: count, readAt: instant)
    return .batch(batch(bytes, count: count, first: first, interval: clock.interval))
  }

  /// The number of samples that were read beyond the level.
  ///
  /// An empty FIFO repeats its last sample. A different sample was produced during the read, so its time is unknown.
  private func strayCount(_ bytes: [UInt8], from place: Int) -> Int {
    let size = configuration.layout.byteCount
    var strayCount = 0
    for index in place..<bytes.count / size {
      guard index > 0 else { continue }
      let one = bytes[index * size..<(index + 1) * size]
      if !one.elementsEqual(bytes[(index - 1) * size..<index * size]) { strayCount += 1 }
    }
    return strayCount
  }

  /// The number of samples for a level.
  private func samples(at level: [UInt8]) -> Int {
    guard let fifo else { return 0 }
    return Int(number(level, fifo) & fifo.mask) * fifo.unitBytes / configuration.layout.byteCount
  }

  private func number(_ level: [UInt8], _ fifo: ChipConfiguration.FIFO) -> UInt32 {
    (fifo.isBigEndian ? level : level.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Restarts the FIFO; samples since the last burst are lost.
  mutating func restarted(at instant: Instant) {
    let gap = instant - lastSampleAt
    if hasBegun, gap > clock.interval {
      owedCount += Int(gap.nanoseconds / clock.interval.nanoseconds)
    }
  }

  /// Handles an interrupted burst; the remaining content of the FIFO will be discarded.
  mutating func burstBroke() { clock.restart() }

  /// Takes a sample that was read by itself.
  mutating func sampleArrived(_ bytes: [UInt8], at instant: Instant) -> AccelerationBatch {
    lastSampleAt = instant
    return batch(bytes, count: 1, first: instant, interval: clock.interval)
  }

  private mutating func batch(
    _ bytes: [UInt8], count: Int, first: Instant, interval: Interval
  ) -> AccelerationBatch {
    let layout = configuration.layout
    var counts: [Int16] = []
    counts.reserveCapacity(count * 3)
    var saturatedCount = 0
    for index in 0..<min(count, AccelerationBatch.samplesMax) {
      let (x, y, z) = layout.counts(bytes, at: index * layout.byteCount)
      let isSaturated = [x, y, z].contains { $0 >= layout.countMax || $0 <= -layout.countMax - 1 }
      if isSaturated { saturatedCount += 1 }
      counts += [x, y, z]
    }
    defer { owedCount = 0 }
    return AccelerationBatch(
      first: first, interval: interval, gPerCount: layout.gPerCount, counts: counts,
      saturatedCount: saturatedCount, lostCount: owedCount)
  }

  /// Whether a FIFO of bytes begins in the middle of a sample, because a sample was read only in part.
  private func isPartial(_ level: [UInt8], _ fifo: ChipConfiguration.FIFO) -> Bool {
    fifo.unitBytes == 1
      && Int(number(level, fifo) & fifo.mask) % configuration.layout.byteCount != 0
  }

  private func isOverrun(_ level: [UInt8], _ fifo: ChipConfiguration.FIFO) -> Bool {
    let number = number(level, fifo)
    switch fifo.overrun {
    case .flag(let mask): return number & mask != 0
    case .levelAtLeast(let limit): return number & fifo.mask >= limit
    }
  }
}
