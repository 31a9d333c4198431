public import BinnacleModel

/// What a stream decoder found next.
public enum Reception: Equatable, Sendable {
  /// A frame whose checksum is right, typed where the daemon has a use for it.
  case message(Message)
  /// An epoch's navigation solution; it comes after the message that completed it.
  case solution(NavigationSolution)
  /// The satellites in view; only where `StreamDecoder.isSkyWanted`.
  ///
  /// NAV-SAT and NAV-SVINFO give it at once. GSV sentences give it when their epoch has ended, because their number differs
  /// from epoch to epoch.
  case sky(Sky, isInSentences: Bool)
}
