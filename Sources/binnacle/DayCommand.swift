import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleText
import Drawing

/// `binnacle day`: the last 24 hours of the board.
extension Commands {
  func day(isJSON: Bool, svg path: String?) throws(Errno) -> ExitStatus {
    if isJSON {
      switch try fetchRows(.day, program: "binnacle day") {
      case .failure(let absence): return failed("day", absence)
      case .success(let rows):
        return rows.allSatisfy { Output.print(ReportText.json(row: $0)) } ? .success : .failure
      }
    }
    switch try fetchDay(program: "binnacle day") {
    case .failure(let absence): return failed("day", absence)
    case .success(let day):
      if let path { return Commands.save(DayPicture(day).figure.document, to: path) }
      return Output.print(DayText(day).lines) ? .success : .failure
    }
  }

  /// The history of the daemon together with the record of background use, which outlives the daemon.
  func fetchDay(program: String) throws(Errno) -> Result<DayTimeline, MissingAnswer> {
    switch try fetchRows(.day, program: program) {
    case .failure(let absence): return .failure(absence)
    case .success(let rows):
      let answer = try? fetchRows(.consent(.audit), program: program)
      if case .failure(let absence)? = answer, absence.isInterrupted { return .failure(absence) }
      let audit = try? answer?.get()
      return .success(DayTimeline(rows, audit: audit ?? [], now: Clock.utc))
    }
  }

  private func failed(_ verb: String, _ absence: MissingAnswer) -> ExitStatus {
    complain("\(verb): \(absence.reason)")
    return absence.status
  }
}
