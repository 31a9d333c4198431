/// A text, in one line or several.
public struct Text: View, DrawnView {
  public typealias Body = Never

  private let content: String

  /// Shows a text.
  public init(_ content: some StringProtocol) {
    self.content = String(content)
  }

  /// Shows a text.
  public init(verbatim content: String) {
    self.content = content
  }

  func draw(at place: ViewPlace) -> [String] {
    content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
