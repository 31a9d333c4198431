import BinnacleBasics
import BinnacleModel
import NMEA
import Testing

@Suite struct SentenceFeedTests {
  private let fix = Fix(
    latitude: 48, longitude: 11, horizontalAccuracy: 3,
    time: UTCTime(secondsSince1970: 1_790_000_000))

  private func instant(_ seconds: Int64) -> Instant { .zero + .seconds(seconds) }

  @Test func whileFixesComeNothingIsRepeated() {
    var feed = SentenceFeed()
    let epoch = feed.updated(Update(fix: fix), at: instant(5))
    #expect(epoch == SentenceEpoch(time: fix.time, fix: fix))
    #expect(feed.nextDeadline == nil)
    #expect(feed.deadlineReached(at: instant(60)) == nil)
  }

  @Test func aRestingBoardIsReportedOnceASecondWithThePresentTime() {
    var feed = SentenceFeed()
    _ = feed.updated(Update(fix: fix, flags: .stationary), at: instant(5))
    for second in 1...3 as ClosedRange<Int64> {
      #expect(feed.nextDeadline == instant(5 + second))
      #expect(feed.deadlineReached(at: instant(5 + second) - .milliseconds(1)) == nil)
      let epoch = feed.deadlineReached(at: instant(5 + second))
      #expect(epoch == SentenceEpoch(time: fix.time + .seconds(second), fix: fix))
    }
  }

  @Test(arguments: [
    Update.Flags.locationUnavailable, [.authorizationDenied, .authorizationDeniedGlobally],
  ])
  func withoutAPositionTheEpochsAreEmpty(flags: Update.Flags) {
    var feed = SentenceFeed()
    #expect(
      feed.updated(Update(fix: nil, flags: flags), at: instant(1))
        == SentenceEpoch(time: nil, fix: nil))
    _ = feed.updated(Update(fix: fix), at: instant(2))
    #expect(
      feed.updated(Update(fix: nil, flags: flags), at: instant(7))
        == SentenceEpoch(time: fix.time + .seconds(5), fix: nil))
    #expect(
      feed.deadlineReached(at: instant(8))
        == SentenceEpoch(time: fix.time + .seconds(6), fix: nil))
  }

  @Test func aLateDaemonSkipsMissedEpochs() {
    var feed = SentenceFeed()
    _ = feed.updated(Update(fix: fix, flags: .stationary), at: instant(0))
    #expect(feed.deadlineReached(at: instant(100)) != nil)
    #expect(feed.nextDeadline == instant(100))
    #expect(feed.deadlineReached(at: instant(100)) != nil)
    #expect(feed.nextDeadline == instant(101))
  }

  @Test func theFirstEpochAfterASkyListsTheSatellites() {
    var feed = SentenceFeed()
    let sky = Sky(horizontalDilution: 0.9)
    _ = feed.updated(Update(fix: fix), at: instant(1))
    feed.seen(sky, at: instant(1))
    for second in 2...12 as ClosedRange<Int64> {
      let epoch = feed.updated(Update(fix: fix), at: instant(second))
      #expect(epoch.sky == (second <= 11 ? sky : nil))
      #expect(epoch.listsSatellites == (second == 2))
    }
  }

  @Test func aReaderWithReducedAccuracyGetsNoSatellites() {
    var feed = SentenceFeed()
    feed.seen(Sky(horizontalDilution: 0.9), at: instant(1))
    let update = Update(fix: fix, flags: .accuracyLimited)
    #expect(
      feed.updated(update, at: instant(1))
        == SentenceEpoch(time: fix.time, fix: fix, isReduced: true))
    #expect(
      feed.updated(Update(fix: fix), at: instant(2)) == SentenceEpoch(time: fix.time, fix: fix))
  }

  @Test func aReaderThatLosesItsRightGetsNoSatellites() {
    var feed = SentenceFeed()
    feed.seen(Sky(horizontalDilution: 0.9), at: instant(1))
    let denied = Update(fix: nil, flags: [.authorizationDenied, .authorizationDeniedGlobally])
    #expect(feed.updated(denied, at: instant(1)) == SentenceEpoch(time: nil, fix: nil))
    #expect(feed.deadlineReached(at: instant(2)) == SentenceEpoch(time: nil, fix: nil))
  }
}
