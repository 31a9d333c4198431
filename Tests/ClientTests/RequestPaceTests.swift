import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnacleWire
import Testing

/// The pace of requests to the daemon, and messages without a pace.
struct RequestPaceTests {
  private let start = Instant(nanoseconds: 0)

  @Test func aBurstPassesAtOnce() {
    var pace = RequestPace()
    for _ in 1...RequestPace.burstCount {
      #expect(pace.allows(at: start))
      pace.sent(at: start)
    }
    #expect(!pace.allows(at: start))
    #expect(pace.nextAllowed == start + RequestPace.interval)
    #expect(pace.allows(at: start + RequestPace.interval))
  }

  @Test func aRestAllowsAnotherBurst() {
    var pace = RequestPace()
    for _ in 1...RequestPace.burstCount { pace.sent(at: start) }
    let later = start + .seconds(60)
    for _ in 1...RequestPace.burstCount {
      #expect(pace.allows(at: later))
      pace.sent(at: later)
    }
    #expect(!pace.allows(at: later))
  }

  @Test func theHastiestClientIsBelowTheDaemonsLimitInAnyOneAndAHalfSeconds() {
    var pace = RequestPace()
    var sent: [Instant] = []
    for millisecond in 0..<5_000 {
      let now = start + .milliseconds(Int64(millisecond))
      while pace.allows(at: now) {
        pace.sent(at: now)
        sent.append(now)
      }
    }
    for first in sent {
      let count = sent.filter { $0 >= first && $0 - first < .milliseconds(1_500) }.count
      #expect(count < ServerConnectionMachine.messagesPerSecondMax)
    }
  }

  /// The client computes the next turn and then waits; a turn that comes in between must not be missed.
  @Test func aRequestWhoseTurnHasComeIsSentAtOnce() {
    var pace = RequestPace()
    for _ in 0...RequestPace.burstCount { pace.sent(at: start) }
    let turn = start + RequestPace.interval * 2
    for waiting in [RequestPace.Waiting.orders, .packets(untilRead: false)] {
      #expect(pace.nextTurn(of: waiting, at: start) == turn)
      #expect(pace.nextTurn(of: waiting, at: turn) == turn)
      #expect(pace.nextTurn(of: waiting, at: turn + .seconds(1)) == turn + .seconds(1))
      #expect(RequestPace().nextTurn(of: waiting, at: start) == start)
    }
    for waiting in [RequestPace.Waiting.nothing, .packets(untilRead: true)] {
      #expect(pace.nextTurn(of: waiting, at: turn + .seconds(1)) == nil)
    }
  }
}
