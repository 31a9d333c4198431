import BinnacleBasics
import BinnacleModel
import BinnaclePosix

/// The kernel's counters of written bytes since the daemon's start.
///
/// The counters are read every ten minutes, both those of the daemon and those of the disk with the state. Other
/// programs write to this disk, too.
struct KernelWrites {
  private struct Reading {
    var at: Instant
    var process: DiskWork?
    var disk: DiskWork?
  }

  /// The number of readings of a day, plus the reading before it.
  private static let readingsMax = 145
  private static let hour = Interval.seconds(3_600)

  private let place: String
  private let first: Reading
  /// The readings, oldest first.
  private var readings: [Reading] = []

  /// - Parameters:
  ///   - place: the state directory, or the partition of the log.
  ///   - now: the daemon's start.
  init(place: String, at now: Instant) {
    self.place = place
    first = KernelWrites.read(at: place, now)
    readings = [first]
  }

  private static func read(at place: String, _ now: Instant) -> Reading {
    Reading(at: now, process: .ofProcess(), disk: .ofDisk(under: place))
  }

  mutating func read(at now: Instant) {
    readings.append(KernelWrites.read(at: place, now))
    if readings.count > KernelWrites.readingsMax { readings.removeFirst() }
  }

  /// Adds the counts since the start and per hour.
  ///
  /// Examples: `kernel.process.bytes` since the start, and `kernel.hour_3.disk.flushes` for the hour that began four
  /// hours ago and ended three hours ago. The times are as exact as the readings allow.
  func add(to report: inout Report, at now: Instant) {
    let current = KernelWrites.read(at: place, now)
    report.add(.kernelSeconds, (now - first.at).nanoseconds / 1_000_000_000)
    KernelWrites.add(current, since: first, "kernel", to: &report)
    var later = current
    for age in 0..<24 {
      let start = now - KernelWrites.hour * Int64(age + 1)
      guard let earlier = readings.last(where: { $0.at <= start }) ?? readings.first,
        earlier.at < later.at
      else { return }
      KernelWrites.add(later, since: earlier, "kernel.hour_\(age)", to: &report)
      later = earlier
    }
  }

  private static func add(
    _ later: Reading, since earlier: Reading, _ name: String, to report: inout Report
  ) {
    for (word, now, before) in [
      ("process", later.process, earlier.process), ("disk", later.disk, earlier.disk),
    ] {
      guard let now, let before else { continue }
      let work = now - before
      report.add(.kernelBytes(name, word), work.bytes)
      if let flushes = work.flushes { report.add(.kernelFlushes(name, word), flushes) }
    }
  }
}
