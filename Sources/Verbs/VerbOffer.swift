/// A word that may stand next on a command line.
public struct VerbOffer: Equatable, Sendable {
  public let word: String
  /// The meaning of the word; empty for a value.
  public let summary: String

  public init(_ word: String, _ summary: String = "") {
    self.word = word
    self.summary = summary
  }
}

/// The possible next words of a command line.
public struct VerbOffers: Equatable, Sendable {
  /// The known words that begin with the unfinished word.
  public var words: [VerbOffer] = []
  /// The kind of names that may stand here besides, which the owner of the table knows.
  public var names: VerbNames?
  /// The place holder for anything else that may stand here, such as `FILE`; nil: nothing else.
  public var placeholder: String?
  /// The unfinished word; empty behind a blank.
  public var prefix = ""

  public init() {}
}

/// A kind of names that only a running board knows.
public enum VerbNames: Equatable, Sendable {
  /// Names of apps.
  case apps
  /// Names of settings.
  case settings
}
