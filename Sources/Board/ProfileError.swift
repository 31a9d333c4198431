/// What is wrong with a profile, line by line.
public struct ProfileError: Error, Equatable, Sendable, CustomStringConvertible {
  public let file: String
  /// In the order of the lines; never empty, at most `complaintsMax`.
  public let complaints: [Complaint]

  /// One thing that is wrong.
  public struct Complaint: Equatable, Sendable {
    /// Counted from 1.
    public let line: Int
    /// The key, or `[Section]`, or nothing where there is neither.
    public let key: String
    /// What is wrong, and what would be right.
    public let text: String
  }

  init(file: String, complaints: [Complaint]) {
    self.file = file
    self.complaints = Array(
      complaints.sorted { $0.line < $1.line }.prefix(ProfileError.complaintsMax))
  }

  /// `FILE:LINE: KEY: what is wrong, what would be right`, one line for each.
  public var description: String {
    complaints.map { complaint in
      let key = complaint.key.isEmpty ? "" : "\(complaint.key): "
      return "\(file):\(complaint.line): \(key)\(complaint.text)"
    }.joined(separator: "\n")
  }

  /// More is no help: the file is something else altogether.
  static let complaintsMax = 20
}
