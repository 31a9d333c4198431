/// Commits that were complete and are now unreadable.
public struct Loss: Equatable, Sendable, CustomStringConvertible {
  /// The number of the last commit before the loss; nil when the start of the log is lost.
  public let after: UInt64?
  /// The number of the first commit after the loss, or the number that the next commit would have.
  public let before: UInt64

  public var description: String {
    guard let after else { return "everything before commit \(before) is damaged" }
    return before == after + 2
      ? "commit \(after + 1) is damaged" : "commits \(after + 1) to \(before - 1) are damaged"
  }

  /// The second half of a sentence about it.
  public var consequence: String {
    guard let after else { return "its changes are lost" }
    return before == after + 2 ? "its changes are lost" : "their changes are lost"
  }
}
