/// Commits that were complete and are now unreadable, or may have been there.
public struct Loss: Equatable, Sendable, CustomStringConvertible {
  /// The number of the last commit before the loss; nil when the start of the log is lost.
  public let after: UInt64?
  /// The number of the first commit after the loss, or the number that the next commit would have.
  public let before: UInt64
  /// The fault of the mark, in words, if the loss is possible and not certain.
  private let markFault: String?

  /// Makes a loss that is certain.
  init(after: UInt64?, before: UInt64) {
    self.after = after
    self.before = before
    markFault = nil
  }

  /// Makes a possible loss at the end of a log: no mark names the last commit.
  ///
  /// - Parameters:
  ///   - last: the last present commit.
  ///   - markFault: the fault of the mark, in words.
  init(possibleAfter last: UInt64?, markFault: String) {
    after = last
    before = (last ?? 0) + 2
    self.markFault = markFault
  }

  /// Whether the commits may be lost, and not certainly are.
  public var isPossible: Bool { markFault != nil }

  public var description: String {
    if let markFault {
      let commits = after.map { "commits after \($0)" } ?? "commits"
      return "\(markFault), so \(commits) may be lost"
    }
    guard let after else {
      return before > 1 ? "everything before commit \(before) is damaged" : "everything is damaged"
    }
    return before == after + 2
      ? "commit \(after + 1) is damaged" : "commits \(after + 1) to \(before - 1) are damaged"
  }

  /// The second half of a sentence about it.
  public var consequence: String {
    if isPossible { return "a decision may be among them" }
    guard let after else { return "its changes are lost" }
    return before == after + 2 ? "its changes are lost" : "their changes are lost"
  }
}
