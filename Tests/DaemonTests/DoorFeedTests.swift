import BinnacleBasics
import BinnacleModel
import Testing

@testable import Daemon

/// The bytes that the readers of each door get.
struct DoorFeedTests {
  private static let now = Instant.zero + .seconds(5)
  private static let fix = Fix(
    latitude: 48, longitude: 11, horizontalAccuracy: 3,
    time: UTCTime(secondsSince1970: 1_790_000_000))

  /// A slow reader loses whole epochs, so each epoch ends with the end of a line.
  @Test(arguments: DoorKind.allCases)
  func anUpdateGivesWholeLines(door: DoorKind) {
    var feed = door.makeFeed()
    let updates = [
      Update(fix: Self.fix), Update(fix: Self.fix, flags: .accuracyLimited),
      Update(fix: nil, flags: .locationUnavailable),
    ]
    for update in updates {
      let epoch = feed.epoch(of: update, at: Self.now)
      #expect(epoch.last == 0x0A && epoch.allSatisfy { $0 < 0x80 })
    }
  }

  @Test(arguments: DoorKind.allCases)
  func anEpochBetweenUpdatesIsDueOnlyAtItsDeadline(door: DoorKind) {
    var feed = door.makeFeed()
    _ = feed.epoch(of: Update(fix: nil, flags: .locationUnavailable), at: Self.now)
    let early = feed.dueEpoch(at: Self.now)
    #expect(early == nil)
    if let due = feed.nextDeadline {
      let epoch = feed.dueEpoch(at: due)
      #expect(epoch?.last == 0x0A)
      #expect(feed.nextDeadline.map { $0 > due } != false)
    }
  }
}
