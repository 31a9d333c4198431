extension Effect {
  /// Orders to the launcher about one app; each is answered.
  ///
  /// Without a launcher the answer is `refused`.
  public enum Launcher: Equatable, Codable, Sendable {
    /// Start the app as the user of its manifest; answered by `started` or `refused`.
    ///
    /// `isForLocation`: the app is started in the background for a location, and not by a person.
    case start(isForLocation: Bool)
    /// Stop all processes of the app where they are; answered by `frozen` or `refused`.
    case freeze
    /// Let all processes of the app continue; answered by `thawed` or `refused`.
    case thaw
    /// Ask the app to end (SIGTERM to its first process); answered by `ended` or `refused`.
    case end
    /// End all processes of the app at once (SIGKILL); answered by `ended` or `refused`.
    case kill
  }
}
