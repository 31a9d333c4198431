import BinnacleModel
import NMEA

extension DoorKind {
  /// Makes the feed of a new reader.
  func makeFeed() -> any DoorFeed {
    switch self {
    case .nmea: SentenceFeed()
    }
  }
}
