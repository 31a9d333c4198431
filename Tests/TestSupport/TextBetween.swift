import Foundation

extension String {
  /// The text between the first `start` and the next `end`; nil if either is missing.
  public func text(from start: String, to end: String) -> String? {
    guard let head = range(of: start),
      let tail = range(of: end, range: head.upperBound..<endIndex)
    else { return nil }
    return String(self[head.upperBound..<tail.lowerBound])
  }
}
