import BinnacleBasics
import BinnacleModel

extension TrackSettings {
  /// The least time between two points that are kept.
  var spacing: Interval {
    switch accuracy {
    case .full: period
    case .reduced: max(period, CoarseCell.periodMin)
    }
  }
}
