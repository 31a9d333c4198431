import BinnacleBasics
import BinnacleModel
import NMEA

extension SentenceFeed: DoorFeed {
  mutating func epoch(of update: Update, at now: Instant) -> [UInt8] {
    updated(update, at: now).bytes
  }

  mutating func dueEpoch(at now: Instant) -> [UInt8]? { deadlineReached(at: now)?.bytes }
}
