import BinnacleModel

extension RecordKeeper {
  /// Adds the condition and the counts of the log, and no content of records.
  func add(to report: inout Report) {
    switch log.condition {
    case .unread: report.add(.stateKept, false)
    case .open: report.add(.stateKept, log.fault == nil)
    case .closed(let reason, _), .opening(let reason):
      report.add(.stateKept, false)
      report.add(.stateFault, reason)
    }
    if log.isOpen, let fault = log.fault { report.add(.stateFault, "\(fault)") }
    if let markFault { report.add(.stateMarkFault, markFault) }
    report.add(.stateRecords, Int64(records.entries.count))
    report.add(.stateRecordBytes, Int64(records.encodedSize))
    report.add(.stateWaitingBytes, Int64(schedule.waitingSize))
    report.add(.stateDropped, Int64(schedule.droppedCount))
    report.add(.stateCommits, Int64(log.counts.commits))
    report.add(.stateFailures, Int64(log.counts.failures))
    report.add(.stateCompactions, Int64(log.counts.compactions))
    report.add(.stateWrittenBytes, Int64(log.counts.bytes))
    report.add(.stateFlushes, Int64(log.counts.flushes))
  }
}
