public import BinnacleModel

/// The next result of a stream decoder.
public enum Reception: Equatable, Sendable {
  /// A frame with a correct checksum; messages that the daemon uses have a type.
  case message(Message)
  /// The navigation solution of an epoch; it follows the message that completed the epoch.
  case solution(NavigationSolution)
  /// The satellites in view; only if `StreamDecoder.isSkyWanted` is set.
  ///
  /// NAV-SAT and NAV-SVINFO give a sky when the time and the dilutions of their epoch are known. GSV sentences give a
  /// sky at the end of their epoch, because the number of GSV sentences differs from epoch to epoch.
  case sky(Sky, isInSentences: Bool)
}
