/// The faults of a settings file, a profile or a manifest, line by line.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// In the order of the files and their lines; never empty, at most `complaintsMax`.
  public let complaints: [Complaint]

  /// One thing that is wrong.
  public struct Complaint: Equatable, Sendable, CustomStringConvertible {
    /// How the file is called.
    public let file: String
    /// Counted from 1; nil: the whole file is meant.
    public let line: Int?
    /// The key, or `[Section]`; empty where there is neither.
    public let key: String
    /// The fault, and the valid values.
    public let text: String

    /// `FILE:LINE`, or `FILE (the whole file)`.
    public var place: String { line.map { "\(file):\($0)" } ?? "\(file) (the whole file)" }

    /// The command that opens the file there.
    public var editing: String { "sudoedit " + (line.map { "+\($0) " } ?? "") + file }

    /// `FILE:LINE: KEY: fault, valid values`.
    public var description: String { "\(place): \(key.isEmpty ? "" : "\(key): ")\(text)" }
  }

  init(complaints: [Complaint]) {
    self.complaints = Array(complaints.prefix(SettingsError.complaintsMax))
  }

  /// `FILE:LINE: KEY: fault, valid values`, one line for each complaint.
  public var description: String {
    complaints.map { "\($0)" }.joined(separator: "\n")
  }

  /// With more faults the file is probably not a settings file, and a longer list does not help.
  static let complaintsMax = 20
}
