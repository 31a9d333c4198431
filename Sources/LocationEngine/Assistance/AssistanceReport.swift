import BinnacleBasics
import BinnacleModel

extension Engine {
  /// The part of the report about assistance: the help that a receiver got, and the data for the next start.
  func addAssistance(to report: inout Report, at now: Instant) {
    let memory = receiver.memory.assistance
    let machine = receiver.connection?.value.assistance
    if let machine {
      report.add(.assistanceState, machine.inWords)
      if let key = machine.receiver { report.add(.assistanceReceiver, key.text) }
      if machine.receiver != nil {
        report.add(.receiverIsAnother, isAnotherReceiver)
      }
    }
    if let last = memory.last { add(last, to: &report, at: now) }
    guard let key = machine?.receiver, let database = memory.database(of: key) else { return }
    report.add(.assistanceKeptRecords, Int64(database.records.count))
    report.add(.assistanceKeptLeftOut, Int64(database.leftOut))
    if let clock = memory.clock {
      report.add(.assistanceKeptAge, (clock.time(at: now) - database.time).seconds)
    }
  }

  private func add(
    _ account: AssistanceMemory.Account, to report: inout Report, at now: Instant
  ) {
    report.add(.assistanceGivenAge, (now - account.at).seconds)
    report.add(.assistanceGivenTo, account.receiver.text)
    report.add(.assistanceGivenRecords, Int64(account.count.given))
    if account.isAcknowledged {
      report.add(.assistanceGivenRecordsTaken, Int64(account.count.taken))
      report.add(.assistanceGivenRefused, Int64(account.count.refused))
      report.add(.assistanceGivenUnanswered, Int64(account.count.unanswered))
    }
    report.add(.assistanceGivenDatabaseAge, account.age.seconds)
    if let meters = account.uncertaintyMeters {
      report.add(.assistanceGivenUncertainty, meters)
    }
  }
}
