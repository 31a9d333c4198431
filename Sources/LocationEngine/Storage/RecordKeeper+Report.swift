import BinnacleModel

extension RecordKeeper {
  /// Adds the condition and the counts of the log, and no content of records.
  func add(to report: inout Report) {
    switch log.condition {
    case .unread: report.add("state.kept", .flag(false))
    case .open: report.add("state.kept", .flag(log.fault == nil))
    case .closed(let reason, _), .opening(let reason):
      report.add("state.kept", .flag(false))
      report.add("state.fault", .text(reason))
    }
    if log.isOpen, let fault = log.fault { report.add("state.fault", .text("\(fault)")) }
    report.add("state.records", .integer(Int64(records.entries.count)))
    report.add("state.record_bytes", .integer(Int64(records.encodedSize)))
    report.add("state.waiting_bytes", .integer(Int64(schedule.waitingSize)))
    report.add("state.dropped", .integer(Int64(schedule.droppedCount)))
    report.add("state.commits", .integer(Int64(log.counts.commits)))
    report.add("state.failures", .integer(Int64(log.counts.failures)))
    report.add("state.compactions", .integer(Int64(log.counts.compactions)))
    report.add("state.written_bytes", .integer(Int64(log.counts.bytes)))
    report.add("state.flushes", .integer(Int64(log.counts.flushes)))
  }
}
