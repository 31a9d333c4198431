import BinnacleBasics
import BinnacleModel
import BinnaclePosix

/// The kernel's counts of written bytes since the daemon's start, read every ten minutes: those of the daemon, and those
/// of the disk with the state, which other programs write, too.
struct KernelWrites {
  private struct Look {
    var at: Instant
    var process: DiskWork?
    var disk: DiskWork?
  }

  /// The readings of a day, and the reading before it.
  private static let looksMax = 145
  private static let hour = Interval.seconds(3_600)

  private let place: String
  private let first: Look
  /// The oldest first.
  private var looks: [Look] = []

  /// - Parameters:
  ///   - place: the state directory, or the partition that the log is on.
  ///   - now: when the daemon starts.
  init(place: String, at now: Instant) {
    self.place = place
    first = KernelWrites.look(at: place, now)
    looks = [first]
  }

  private static func look(at place: String, _ now: Instant) -> Look {
    Look(at: now, process: .ofProcess(), disk: .ofDisk(under: place))
  }

  mutating func look(at now: Instant) {
    looks.append(KernelWrites.look(at: place, now))
    if looks.count > KernelWrites.looksMax { looks.removeFirst() }
  }

  /// Names such as `kernel.process.bytes` since the start, and `kernel.hour_3.disk.flushes` for the hour that began four
  /// hours ago and ended three hours ago, as exactly as the readings allow.
  func add(to report: inout Report, at now: Instant) {
    let current = KernelWrites.look(at: place, now)
    report.add("kernel.seconds", .integer((now - first.at).nanoseconds / 1_000_000_000))
    KernelWrites.add(current, since: first, "kernel", to: &report)
    var later = current
    for age in 0..<24 {
      let start = now - KernelWrites.hour * Int64(age + 1)
      guard let earlier = looks.last(where: { $0.at <= start }) ?? looks.first,
        earlier.at < later.at
      else { return }
      KernelWrites.add(later, since: earlier, "kernel.hour_\(age)", to: &report)
      later = earlier
    }
  }

  private static func add(
    _ later: Look, since earlier: Look, _ name: String, to report: inout Report
  ) {
    for (word, now, before) in [
      ("process", later.process, earlier.process), ("disk", later.disk, earlier.disk),
    ] {
      guard let now, let before else { continue }
      let work = now - before
      report.add("\(name).\(word).bytes", .integer(work.bytes))
      if let flushes = work.flushes { report.add("\(name).\(word).flushes", .integer(flushes)) }
    }
  }
}
