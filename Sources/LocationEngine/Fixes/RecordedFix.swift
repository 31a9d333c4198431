import BinnacleBasics
public import BinnacleModel
public import UBX

/// A position of a recording, by the rules that decide which solutions are positions.
///
/// The position is not compared with earlier ones, so that a recording shows what the receiver sent. A message without a
/// verdict of the receiver (UBX-NAV-POSLLH alone) counts if it has an accuracy of at most ``accuracyMax``.
public struct RecordedFix: Equatable, Sendable {
  public let fix: Fix
  /// Whether the recording has the date and the time of the position; otherwise the time of ``fix`` is 1970.
  public let hasDate: Bool

  private static let accuracyMax: Int64 = 1_000_000

  /// - Returns: nil if the solution is no position.
  public init?(_ solution: NavigationSolution) {
    var solution = solution
    if solution.source == .navPOSLLH, solution.fixType == nil,
      let accuracy = solution.horizontalAccuracy, accuracy.millimeters <= RecordedFix.accuracyMax
    {
      (solution.fixType, solution.isFixOK) = (.threeDimensional, true)
    }
    let isTimed = solution.isDateValid && solution.isTimeValid
    let time = isTimed ? solution.utc : nil
    var origin = HorizontalAccuracy.Origin.receiver
    let verdict = FixJudge.fix(
      from: solution, at: time ?? UTCTime(secondsSince1970: 0), isSimulated: false, origin: &origin)
    guard case .accepted(let fix) = verdict else { return nil }
    self.fix = fix
    hasDate = time != nil
  }
}
