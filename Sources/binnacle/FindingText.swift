import Diagnosis

/// How `binnacle doctor` shows what it found.
enum FindingText {
  /// One line; what would move the terminal's cursor is shown as a dot.
  static func line(_ finding: Finding) -> String {
    var shown = ""
    for scalar in finding.line.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      shown.unicodeScalars.append(isControl ? "." : scalar)
    }
    return shown
  }

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
