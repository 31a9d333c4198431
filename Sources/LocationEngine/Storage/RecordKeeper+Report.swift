import BinnacleModel

extension RecordKeeper {
  /// What `status` shows of what is kept; never what it says.
  func add(to report: inout Report) {
    switch condition {
    case .unread: report.add("state.kept", .flag(false))
    case .open: report.add("state.kept", .flag(fault == nil))
    case .closed(let reason, _), .opening(let reason):
      report.add("state.kept", .flag(false))
      report.add("state.fault", .text(reason))
    }
    if let fault { report.add("state.fault", .text("\(fault)")) }
    report.add("state.records", .integer(Int64(records.entries.count)))
    report.add("state.record_bytes", .integer(Int64(records.encodedSize)))
    report.add("state.waiting_bytes", .integer(Int64(schedule.waitingSize)))
    report.add("state.dropped", .integer(Int64(schedule.droppedCount)))
    report.add("state.commits", .integer(Int64(counts.commits)))
    report.add("state.failures", .integer(Int64(counts.failures)))
    report.add("state.compactions", .integer(Int64(counts.compactions)))
    report.add("state.written_bytes", .integer(Int64(counts.bytes)))
    report.add("state.flushes", .integer(Int64(counts.flushes)))
  }
}
