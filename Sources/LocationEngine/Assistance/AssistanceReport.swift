import BinnacleBasics
import BinnacleModel

extension Engine {
  /// What a receiver was helped with, and what is kept for the next start.
  func addAssistance(to report: inout Report, at now: Instant) {
    let memory = receiver.memory.assistance
    let machine = receiver.connection?.assistance
    if let machine {
      report.add("assistance.state", .text(machine.inWords))
      if let key = machine.receiver { report.add("assistance.receiver", .text(key.text)) }
      if machine.receiver != nil {
        report.add("receiver.is_another_than_last_time", .flag(isAnotherReceiver))
      }
    }
    if let last = memory.last { add(last, to: &report, at: now) }
    guard let key = machine?.receiver, let database = memory.database(of: key) else { return }
    report.add("assistance.kept_records", .integer(Int64(database.records.count)))
    report.add("assistance.kept_left_out", .integer(Int64(database.leftOut)))
    if let clock = memory.clock {
      report.add("assistance.kept_age_s", .number((clock.time(at: now) - database.time).seconds))
    }
  }

  private func add(
    _ account: AssistanceMemory.Account, to report: inout Report, at now: Instant
  ) {
    report.add("assistance.given_age_s", .number((now - account.at).seconds))
    report.add("assistance.given_to", .text(account.receiver.text))
    report.add("assistance.given_records", .integer(Int64(account.count.given)))
    if account.isAcknowledged {
      report.add("assistance.given_records_taken", .integer(Int64(account.count.taken)))
      report.add("assistance.given_refused", .integer(Int64(account.count.refused)))
      report.add("assistance.given_unanswered", .integer(Int64(account.count.unanswered)))
    }
    report.add("assistance.given_database_age_s", .number(account.age.seconds))
    if let meters = account.uncertaintyMeters {
      report.add("assistance.given_position_uncertainty_m", .number(meters))
    }
  }
}
