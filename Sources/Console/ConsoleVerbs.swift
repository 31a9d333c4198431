public import Verbs

/// The command table, as the console uses it.
public struct ConsoleVerbs {
  /// The meaning of a line.
  public enum Meaning: Equatable {
    /// A command of this program.
    case run(isInteractive: Bool)
    /// Text, such as help.
    case show(String)
    /// A wrong line, with the reason.
    case wrong(String)
  }

  let meaning: ([String]) -> Meaning
  let offers: (String) -> VerbOffers
  /// The names of all settings.
  let settings: () -> [String]

  public init(
    meaning: @escaping ([String]) -> Meaning, offers: @escaping (String) -> VerbOffers,
    settings: @escaping () -> [String]
  ) {
    self.meaning = meaning
    self.offers = offers
    self.settings = settings
  }
}
