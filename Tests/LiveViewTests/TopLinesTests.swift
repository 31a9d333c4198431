import BinnacleBasics
import BinnacleModel
import Testing

@testable import LiveView

struct TopLinesTests {
  private let start = Instant.zero + .seconds(100)

  @Test func aPageComesEveryTenSeconds() {
    var lines = TopLines()
    let first = lines.take(SampleBoard.snapshot, at: start)
    #expect(first.contains("binnacle top  harbor fix  2026-11-24T10:15:32Z"))
    #expect(first.contains { $0.hasPrefix("fix      0.5 s old, accurate to 2.1 m") })
    #expect(first.contains("sky      24 in view, 16 used, HDOP 0.71, VDOP unknown, PDOP unknown"))
    #expect(first.allSatisfy { $0.count <= 79 })
    #expect(lines.nextDeadline == start + TopLines.period)
    #expect(lines.take(SampleBoard.snapshot, at: start + .seconds(9)) == [])
    let second = lines.take(SampleBoard.snapshot, at: start + TopLines.period)
    #expect(second == first.filter { !$0.hasPrefix("log ") })
  }

  @Test func aPageWaitsUntilEachPartHasItsAnswer() {
    var lines = TopLines()
    let whole = SampleBoard.snapshot
    var coming = whole
    coming.forgetValues()
    _ = lines.take(coming, at: start)
    coming.report = whole.report
    #expect(lines.take(coming, at: start + .seconds(2)) == [])
    coming.sky = whole.sky
    #expect(lines.take(coming, at: start + .seconds(4)) == [])
    #expect(lines.nextDeadline == nil)
    coming.apps = whole.apps
    let page = lines.take(coming, at: start + .seconds(6))
    #expect(page.contains { $0.hasPrefix("sky      24 in view") })
    #expect(page.contains { $0.hasPrefix("apps     ") })
  }

  @Test func aPageWithoutSatellitesGivesTheReason() {
    var lines = TopLines()
    var snapshot = SampleBoard.snapshot
    (snapshot.sky, snapshot.skyAbsence) = (nil, "no satellites are reported")
    #expect(lines.take(snapshot, at: start).contains("sky      no satellites are reported"))
  }

  @Test func newLinesOfTheLogComeAtOnceAndOnce() {
    var lines = TopLines()
    var snapshot = SampleBoard.snapshot
    _ = lines.take(snapshot, at: start)
    snapshot.addLog([SampleBoard.logged("10:16:00.000", "error", "receiver: gone")])
    #expect(
      lines.take(snapshot, at: start + .seconds(1)) == [
        "log      10:16:00  error: receiver: gone"
      ])
    #expect(lines.take(snapshot, at: start + .seconds(2)) == [])
    for number in 0..<500 {
      snapshot.addLog([SampleBoard.logged("10:17:00.000", "debug", "line \(number)")])
    }
    let flood = lines.take(snapshot, at: start + .seconds(3))
    #expect(flood.count == 21)
    #expect(flood.first == "log      (480 earlier lines)")
    #expect(flood.last == "log      10:17:00  line 499")
  }

  @Test func aProblemAndARequestComeAtOnce() {
    var lines = TopLines()
    var snapshot = SampleBoard.snapshot
    _ = lines.take(snapshot, at: start)
    snapshot.requests = [SampleBoard.request("org.example.route")]
    let news = lines.take(snapshot, at: start + .seconds(1))
    #expect(news.first?.hasPrefix("request  org.example.route would like") == true)
    #expect(news.contains("           binnacle allow org.example.route"))
    #expect(lines.take(snapshot, at: start + .seconds(2)) == [])
  }

  @Test func theDaemonsAbsenceIsReportedOnceAndItsReturnAtOnce() {
    var lines = TopLines()
    _ = lines.take(SampleBoard.snapshot, at: start)
    var absent = SampleBoard.snapshot
    absent.forgetValues()
    absent.absence = "the daemon has gone; waiting for it"
    #expect(
      lines.take(absent, at: start + .seconds(1)) == [
        "!        the daemon has gone; waiting for it"
      ])
    #expect(lines.take(absent, at: start + .seconds(30)) == [])
    #expect(lines.nextDeadline == nil)
    let back = lines.take(SampleBoard.snapshot, at: start + .seconds(31))
    #expect(back.first == "binnacle top  harbor fix  2026-11-24T10:15:32Z")
  }
}
