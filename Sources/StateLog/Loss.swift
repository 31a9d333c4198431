/// Commits that were whole once and cannot be read any more.
public struct Loss: Equatable, Sendable, CustomStringConvertible {
  /// The number of the last commit before them; nil when the start is gone.
  public let after: UInt64?
  /// The number of the first commit behind them, or the number that it would have.
  public let before: UInt64

  public var description: String {
    guard let after else { return "everything before commit \(before) is damaged" }
    return before == after + 2
      ? "commit \(after + 1) is damaged" : "commits \(after + 1) to \(before - 1) are damaged"
  }
}
