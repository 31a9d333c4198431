public import BinnacleBasics
import CBinnaclePosix

/// The code that runs at every wake-up of the daemon; `Perf/hot_functions.py` lays it side by side.
public enum HotCode {
  /// After a shorter wait the caches of the processor still have most of the code.
  private static let waitMin = Interval.milliseconds(10)

  /// Asks the processor to fetch the code, if its caches have forgotten it during a wait.
  ///
  /// A processor fetches many lines at a time when it is asked for them, and one after the other when it runs into them.
  /// In a program that was linked without the list of functions, the call does nothing.
  public static func prefetch(after wait: Interval) {
    if wait >= waitMin { cposix_prefetch_hot_code() }
  }
}
