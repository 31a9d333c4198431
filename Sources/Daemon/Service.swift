public import BinnacleBasics

/// The daemon from its first turn to its last.
///
/// It is all that the program sees of this module, and has no layout: an incremental build does not compile the
/// program again when the size of something that the loop keeps has changed.
public enum Service {
  /// Serves until SIGTERM or SIGINT asks for the end.
  ///
  /// - Parameter settings: what the daemon was told.
  /// - Throws: what keeps the daemon from starting.
  public static func run(_ settings: Settings) throws(StartFailure) {
    var loop = try Loop(settings)
    loop.run()
  }
}
