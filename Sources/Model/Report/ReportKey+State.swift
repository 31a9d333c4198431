/// Keys of the report: stored state and its writes.
extension ReportKey<String> {
  public static var stateDirectory: Self {
    Self(
      "state.directory",
      "directory of the track, and of the stored state without `state.partition`")
  }
  public static var statePartition: Self {
    Self("state.partition", "partition of the stored state, by `State=` of the profile")
  }
  public static var stateFault: Self {
    Self("state.fault", "reason why decisions are not on the disk")
  }
  public static var stateMarkFault: Self {
    Self(
      "state.mark_fault",
      "reason why the mark of the log cannot be written; decisions are on the disk, and the next "
        + "start may report a loss")
  }
  public static var stateDamage: Self {
    Self(
      "state.damage",
      "part of the state that is or may be lost; location services are off until "
        + "`binnacle state accept`. "
        + "Absent when nothing is lost")
  }
  public static var trackAccuracy: Self {
    Self("track.accuracy", "`full` or `reduced`")
  }
  public static var trackFault: Self {
    Self("track.fault", "reason why the disk does not take the track")
  }
  public static var trackOldest: Self {
    Self("track.oldest", "time of the oldest stretch, RFC 3339")
  }
}

extension ReportKey<Int64> {
  public static var stateRecords: Self {
    Self("state.records", "stored records")
  }
  public static var stateRecordBytes: Self {
    Self("state.record_bytes", "their size")
  }
  public static var stateWaitingBytes: Self {
    Self("state.waiting_bytes", "bytes that wait to be written")
  }
  public static var stateDropped: Self {
    Self("state.dropped", "changes that were dropped because too much waited")
  }
  public static var stateCommits: Self {
    Self("state.commits", "commits since the start")
  }
  public static var stateFailures: Self {
    Self("state.failures", "failed writes")
  }
  public static var stateCompactions: Self {
    Self("state.compactions", "copies to the other segment")
  }
  public static var stateWrittenBytes: Self {
    Self("state.written_bytes", "bytes written")
  }
  public static var stateFlushes: Self {
    Self("state.flushes", "flushes")
  }
  public static var trackStretches: Self {
    Self("track.stretches", "stored stretches")
  }
  public static var trackBytes: Self {
    Self("track.bytes", "their size")
  }
  public static var trackPoints: Self {
    Self("track.points", "points since the start")
  }
  public static var trackPointsWaiting: Self {
    Self("track.points_waiting", "points that are not on the disk yet")
  }
  public static var trackPointsDropped: Self {
    Self("track.points_dropped", "points that could not wait longer")
  }
  public static var trackCommits: Self {
    Self("track.commits", "commits since the start")
  }
  public static var trackFailures: Self {
    Self("track.failures", "failed writes")
  }
  public static var trackWrittenBytes: Self {
    Self("track.written_bytes", "bytes written")
  }
  public static var trackFlushes: Self {
    Self("track.flushes", "flushes")
  }
  public static func lifeCounter(_ counter: String) -> Self {
    Self(
      "life.\(counter)",
      "counter over the life of the board: `starts`, `starts_without_clean_stop` (the power was "
        + "cut or the daemon killed; a cut in the first ten minutes goes unnoticed), `tracking_s`, "
        + "`receiver_on_s`, `fixes`, `receiver_searches`, `receiver_losses`, `written_bytes` or "
        + "`flushes`")
  }
  public static var defaultsValues: Self {
    Self("defaults.values", "stored defaults of all apps")
  }
  public static var defaultsWaiting: Self {
    Self("defaults.waiting", "groups of changes that wait for their commit")
  }
  public static var defaultsRefused: Self {
    Self("defaults.refused", "changes that were refused")
  }
  public static func writesCommits(_ span: String, _ commitClass: String) -> Self {
    Self(
      "\(span).\(commitClass).commits",
      "commits of the class `now`, `group` or `lazy` since the start")
  }
  public static func writesCopies(_ span: String, _ commitClass: String) -> Self {
    Self("\(span).\(commitClass).copies", "commits that copied all records to the other segment")
  }
  public static func writesBytes(_ span: String, _ commitClass: String) -> Self {
    Self("\(span).\(commitClass).bytes", "bytes given to the disk")
  }
  public static func writesFlushes(_ span: String, _ commitClass: String) -> Self {
    Self("\(span).\(commitClass).flushes", "flushes")
  }
  public static var kernelSeconds: Self {
    Self("kernel.seconds", "time since which the kernel's numbers count")
  }
  public static func kernelBytes(_ span: String, _ source: String) -> Self {
    Self(
      "\(span).\(source).bytes",
      "bytes by the kernel: of the daemon (`process`, `write_bytes` of proc_pid_io(5)) or of "
        + "the whole `disk`")
  }
  public static func kernelFlushes(_ span: String, _ source: String) -> Self {
    Self(
      "\(span).\(source).flushes",
      "flushes of the disk; absent if the kernel does not count flushes")
  }
}

extension ReportKey<Bool> {
  public static var stateKept: Self {
    Self("state.kept", "decisions are on the disk")
  }
  public static var trackIsOn: Self {
    Self("track.is_on", "the board records its track")
  }
  public static var trackKept: Self {
    Self("track.kept", "the disk takes the track")
  }
}

extension ReportCatalog {
  static var state: [Entry] {
    [
      .init(.stateDirectory),
      .init(.statePartition),
      .init(.stateKept),
      .init(.stateFault),
      .init(.stateMarkFault),
      .init(.stateDamage),
      .init(.stateRecords),
      .init(.stateRecordBytes),
      .init(.stateWaitingBytes),
      .init(.stateDropped),
      .init(.stateCommits),
      .init(.stateFailures),
      .init(.stateCompactions),
      .init(.stateWrittenBytes),
      .init(.stateFlushes),
      .init(.trackIsOn),
      .init(.trackAccuracy),
      .init(.trackKept),
      .init(.trackFault),
      .init(.trackStretches),
      .init(.trackBytes),
      .init(.trackOldest),
      .init(.trackPoints),
      .init(.trackPointsWaiting),
      .init(.trackPointsDropped),
      .init(.trackCommits),
      .init(.trackFailures),
      .init(.trackWrittenBytes),
      .init(.trackFlushes),
      .init(.lifeCounter("COUNTER")),
      .init(.defaultsValues),
      .init(.defaultsWaiting),
      .init(.defaultsRefused),
      .init(.writesCommits("writes", "CLASS")),
      .init(.writesCommits("writes.hour_N", "CLASS")),
      .init(.writesCopies("writes", "CLASS")),
      .init(.writesCopies("writes.hour_N", "CLASS")),
      .init(.writesBytes("writes", "CLASS")),
      .init(.writesBytes("writes.hour_N", "CLASS")),
      .init(.writesFlushes("writes", "CLASS")),
      .init(.writesFlushes("writes.hour_N", "CLASS")),
      .init(.kernelSeconds),
      .init(.kernelBytes("kernel", "SOURCE")),
      .init(.kernelBytes("kernel.hour_N", "SOURCE")),
      .init(.kernelFlushes("kernel", "SOURCE")),
      .init(.kernelFlushes("kernel.hour_N", "SOURCE")),
    ]
  }
}
