import BinnacleBasics
import Testing

@testable import Console

struct LinePaceTests {
  private func time(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

  @Test func aSlowLineTakesAnEighthOfASecondAtOnce() {
    var pace = LinePace(baud: 9_600)
    #expect(pace.room(at: time(1_000)) == 120)
    pace.sent(120, at: time(1_000))
    #expect(pace.room(at: time(1_000)) == 0)
    #expect(pace.nextRoom == time(1_000) + .microseconds(62_500))
    #expect((115...120).contains(pace.room(at: time(1_125))))
  }

  @Test func aSecondCarriesATenthOfTheBaud() {
    var pace = LinePace(baud: 9_600)
    var sent = 0
    var now = time(5_000)
    while now < time(7_000) {
      let room = pace.room(at: now)
      pace.sent(room, at: now)
      sent += room
      now += .milliseconds(5)
    }
    #expect((1_800...2_040).contains(sent))
  }

  @Test func discardedBytesMakeRoom() {
    var pace = LinePace(baud: 300)
    pace.sent(16, at: time(1_000))
    pace.discarded(at: time(1_010))
    #expect(pace.room(at: time(1_010)) == 16)
  }
}
