/// A rule that is broken somewhere.
struct Complaint: Equatable, CustomStringConvertible {
  var path: String
  var line: Int
  var text: String

  var description: String { "\(path):\(line): \(text)" }
}
