import BinnaclePosix

/// Tests that play many seeds or recordings.
public enum Sweep {
  /// Whether they play all of them: `make check` sets `BINNACLE_SWEEPS=1`.
  public static let isWanted = Environment.value("BINNACLE_SWEEPS") == "1"
}
