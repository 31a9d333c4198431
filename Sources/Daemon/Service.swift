public import BinnacleBasics
import BinnaclePosix

/// The daemon's service from start to stop.
///
/// The program uses only this type of the module. The type has no layout, so an incremental build does not compile the
/// program again when the size of a part of the loop has changed.
public enum Service {
  /// Serves until SIGTERM or SIGINT requests a stop.
  ///
  /// - Parameter settings: the daemon's settings.
  /// - Throws: the reason why the daemon cannot start.
  public static func run(_ settings: Settings) throws(StartFailure) {
    Memory.shareArena()
    var loop = try Loop(settings)
    loop.run()
  }
}
