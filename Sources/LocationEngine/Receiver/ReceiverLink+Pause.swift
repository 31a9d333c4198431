import BinnacleBasics

extension ReceiverLink {
  /// Longer than the pauses of receivers within an epoch, and than the time that adapters hold bytes back.
  private static let pauseMin = Interval.milliseconds(100)

  /// Whether the line was silent before the bytes of this read; a silence ends an epoch.
  func hasPaused(before count: Int, at now: Instant) -> Bool {
    let bits = Int64(min(count, 65_536)) * 10
    let onLine = Interval(nanoseconds: bits * 1_000_000_000 / Int64(max(300, speed)))
    return now - lastBytes - onLine >= ReceiverLink.pauseMin
  }
}
