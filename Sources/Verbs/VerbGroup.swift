/// Verbs of one purpose.
public struct VerbGroup: Equatable, Sendable {
  /// The purpose in a few words.
  public let purpose: String
  /// The names of the verbs.
  public let verbs: [String]

  public init(_ purpose: String, _ verbs: [String]) {
    self.purpose = purpose
    self.verbs = verbs
  }
}
