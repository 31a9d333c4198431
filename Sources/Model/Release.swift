public import BinnacleBasics

/// The release of Binnacle.
public enum Release {
  public static let version = "0.1.0"

  /// The day on which work on this release began: a correct clock never shows an earlier time.
  public static let day = UTCTime(secondsSince1970: 1_793_491_200)
}
