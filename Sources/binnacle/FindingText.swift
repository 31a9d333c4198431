import BinnacleBasics
import BinnacleText
import Diagnosis

/// The formats of a finding in `binnacle doctor`.
enum FindingText {
  /// The lines for a terminal.
  static func lines(_ finding: Finding) -> String {
    finding.lines.map { PlainText.line($0) }.joined(separator: "\n")
  }

  /// The sentence for a page.
  static func line(_ finding: Finding) -> String { PlainText.line(finding.line) }

  static func json(_ finding: Finding) -> String {
    var object = JSONObject()
    object.add("finding", finding.name.rawValue)
    object.add("severity", finding.severity.rawValue)
    object.add("subject", finding.subject)
    object.add("text", finding.text)
    if let mend = finding.mend { object.add("mend", mend) }
    return object.text
  }
}
