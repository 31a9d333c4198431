public import BinnacleBasics

/// Which release of Binnacle this is.
public enum Release {
  public static let version = "0.1.0"

  /// The day on which work on this release began: no clock that is right shows a time before it.
  public static let day = UTCTime(secondsSince1970: 1_793_491_200)
}
