import BinnacleBasics
public import BinnacleModel

/// The live activities of apps as one line.
public enum ActivityText {
  /// - Parameter report: the daemon's report.
  /// - Returns: the first activity and the number of the others; nil without any.
  public static func line(_ report: Report) -> String? {
    let values = ReportReader(report)
    guard let app = values[.activityApp("1")], let text = values[.activityText("1")] else {
      return nil
    }
    let count = values.members("activities.", ".app").count
    return "\(app): \(text)" + (count > 1 ? ", and \(count - 1) more" : "")
  }
}
