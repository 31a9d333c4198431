import BinnacleBasics

extension NMEAEpoch {
  /// A date as RMC, ZDA and PUBX,04 have it.
  struct Date: Equatable, Codable {
    var year: Int
    var month: Int
    var day: Int
  }

  /// The longest time between two epochs over which a date continues.
  ///
  /// Some receivers and multiplexers send a sentence with a date only once in several minutes.
  private static let gapMaxNanoseconds: Int64 = 600_000_000_000
  private static let dayNanoseconds: Int64 = 86_400_000_000_000

  /// Date and time; nil without a time, and without a date of this epoch or of one shortly before.
  var utc: UTCTime? {
    guard let timeOfDay else { return nil }
    guard let date else { return continued(at: timeOfDay) }
    return UTCTime(
      year: date.year, month: date.month, day: date.day, hour: 0, minute: 0, second: 0,
      nanoseconds: timeOfDay)
  }

  /// The time of day on the date of the epoch before, or on the next date if midnight is between both.
  private func continued(at timeOfDay: Int64) -> UTCTime? {
    guard let preceding else { return nil }
    let second = (preceding.secondsSince1970 % 86_400 + 86_400) % 86_400
    let day = NMEAEpoch.dayNanoseconds
    let gap = (timeOfDay - second * 1_000_000_000 - Int64(preceding.nanoseconds) + day) % day
    guard gap <= NMEAEpoch.gapMaxNanoseconds else { return nil }
    return UTCTime(
      secondsSince1970: preceding.secondsSince1970, nanoseconds: Int64(preceding.nanoseconds) + gap)
  }

  /// Sets date and time of a solution.
  func setTime(of solution: inout NavigationSolution) {
    solution.utc = utc
    solution.isDateValid = utc != nil || date != nil
    solution.isDateContinued = date == nil && utc != nil
    solution.isTimeValid = timeOfDay != nil
    if !solution.isDateValid { solution.timeOfDayNanoseconds = timeOfDay }
  }
}
