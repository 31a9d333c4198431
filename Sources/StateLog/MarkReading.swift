/// The result of reading the mark of a log; see ``CommitMark``.
public enum MarkReading: Equatable, Sendable {
  /// The log has no mark: a log of tracks, or a copy of a log.
  case unused
  /// There is no mark, or its first page is blank.
  case missing
  /// No page of the mark is valid for this board.
  case unreadable
  /// At least one page is valid.
  case readable(CommitMark)

  /// The content of a readable mark.
  public var mark: CommitMark? {
    guard case .readable(let mark) = self else { return nil }
    return mark
  }

  /// Whether a blank or absent log may be new.
  ///
  /// The mark is created before the first log gets its name, and names no commit until then.
  public var mayBeNew: Bool {
    switch self {
    case .unused, .missing: true
    case .unreadable: false
    case .readable(let mark): mark.sequence == 0
    }
  }

  /// The fault that leaves the end of a log unproven, in words; nil without a fault.
  var fault: String? {
    switch self {
    case .unused, .readable: nil
    case .missing: "its mark is missing"
    case .unreadable: "its mark is unreadable"
    }
  }
}
