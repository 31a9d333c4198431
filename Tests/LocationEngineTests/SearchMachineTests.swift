import BinnacleBasics
import Testing

@testable import LocationEngine

private func seconds(_ count: Double) -> Instant {
  .zero + Interval(nanoseconds: Int64(count * 1e9))
}

/// A receiver that cannot hear and sends the same bytes once a second; at other speeds than its own they are garbage.
private struct Talker {
  let baud: Int
  /// Bytes of its burst, and how many of them make a frame.
  var burst: Int64 = 100
  var frame: Int64 = 100
  /// When its first burst begins.
  var phase: Interval = .zero

  /// When its first frame was found, and when it was settled that it is only read; nil: the round ended without.
  func found(from speed: Int) -> (heard: Interval, settled: Interval)? {
    var machine = SearchMachine(speed: speed, others: SearchMachine.speeds, at: .zero)
    var now = Instant.zero
    var heard: Interval?
    while now < seconds(30) {
      now += .milliseconds(5)
      let action: SearchMachine.Action
      let sent = bytesSent(in: now)
      if machine.nextDeadline <= now {
        action = machine.deadlineReached(at: now)
      } else if sent == 0 {
        continue
      } else if machine.speed == baud, hasFrameEnd(in: now) {
        action = machine.frameArrived(at: now)
        heard = heard ?? now - .zero
      } else {
        // A line that is read too fast gives several bytes for one, one that is read too slowly few for many.
        let count = max(1, Int(sent) * machine.speed / baud)
        action = machine.bytesArrived(count, isWithinFrame: false, at: now)
      }
      switch action {
      case .change:
        now += .milliseconds(5)
        _ = machine.speedChanged(at: now)
      case .read: return heard.map { ($0, now - .zero) }
      case .pause: return nil
      case .none, .ask: continue
      }
    }
    return nil
  }

  /// Bytes of a burst that come in the 5 ms before an instant.
  private func bytesSent(in now: Instant) -> Int64 { place(now) - place(now - .milliseconds(5)) }

  private func hasFrameEnd(in now: Instant) -> Bool {
    place(now) / frame > place(now - .milliseconds(5)) / frame
  }

  /// How many bytes have been sent at an instant.
  private func place(_ now: Instant) -> Int64 {
    let elapsed = (now - .zero - phase).nanoseconds
    guard elapsed > 0 else { return 0 }
    let within = elapsed % 1_000_000_000 * Int64(baud) / 10_000_000_000
    return elapsed / 1_000_000_000 * burst + min(burst, within)
  }
}

@Suite struct SearchMachineTests {
  private static let phases = (0..<20).map { Interval.milliseconds(50 * $0 + 1) }
  private static let usualSpeeds = SearchMachine.speeds.filter { $0 > 4_800 }

  /// A frame each second is the least that can be called sending; each speed takes an epoch.
  @Test(arguments: SearchMachineTests.usualSpeeds)
  func aReceiverThatOnlySendsIsHeardWithinEightSeconds(baud: Int) throws {
    for phase in SearchMachineTests.phases {
      let talker = Talker(baud: baud, phase: phase)
      let found = try #require(talker.found(from: 38_400))
      #expect(found.heard <= .milliseconds(8_000), "phase \(phase)")
      #expect(found.settled - found.heard <= .milliseconds(2_800))
    }
  }

  /// Sentences at the speed of NMEA 0183 itself take so long that several speeds are disproved in one burst.
  @Test(arguments: [9_600, 38_400, 115_200])
  func aTalkerAt4800IsHeardToo(first: Int) throws {
    for phase in SearchMachineTests.phases {
      let talker = Talker(baud: 4_800, burst: 300, frame: 75, phase: phase)
      let found = try #require(talker.found(from: first))
      #expect(found.heard <= .milliseconds(9_000), "phase \(phase)")
    }
  }

  @Test func theLikelySpeedsAreTriedAgainAsSoonAsSomethingIsHeard() throws {
    for phase in SearchMachineTests.phases {
      let talker = Talker(baud: 9_600, burst: 500, frame: 70, phase: phase)
      let found = try #require(talker.found(from: 38_400))
      #expect(found.heard <= .milliseconds(2_500), "phase \(phase)")
    }
  }

  @Test func aRoundGoesThroughEverySpeedOnceLastGoodFirst() {
    var machine = SearchMachine(speed: 57_600, others: SearchMachine.speeds, at: .zero)
    var tried = [57_600]
    var now = Instant.zero
    while true {
      now = machine.nextDeadline
      switch machine.deadlineReached(at: now) {
      case .change(let speed):
        tried.append(speed)
        _ = machine.speedChanged(at: now)
      case .pause(let isFirst):
        #expect(isFirst)
        #expect(tried == [57_600, 38_400, 9_600, 115_200, 230_400, 460_800, 921_600, 4_800])
        #expect(now <= seconds(4))
        return
      case .none, .ask, .read: continue
      }
    }
  }

  /// A line that is not connected picks up noise.
  @Test func noiseWithoutEndDisprovesASpeedAtOnce() {
    var machine = SearchMachine(speed: 38_400, others: SearchMachine.speeds, at: .zero)
    var now = Instant.zero
    while now < seconds(5) {
      now += .milliseconds(20)
      switch machine.bytesArrived(256, isWithinFrame: false, at: now) {
      case .change: _ = machine.speedChanged(at: now)
      case .pause: return
      case .none, .ask, .read: continue
      }
    }
    Issue.record("the round has not ended")
  }

  @Test func aLongFrameIsWaitedFor() {
    var machine = SearchMachine(speed: 115_200, others: SearchMachine.speeds, at: .zero)
    for tenth in 1...3 {
      let action = machine.bytesArrived(500, isWithinFrame: true, at: seconds(Double(tenth) / 10))
      #expect(action == .none)
    }
    #expect(machine.frameArrived(at: seconds(0.35)) == .ask)
    #expect(machine.isHearing)
  }

  @Test func aReceiverThatIsHeardIsAskedTwiceAndThenRead() {
    var machine = SearchMachine(speed: 9_600, others: SearchMachine.speeds, at: .zero)
    #expect(machine.frameArrived(at: seconds(0.2)) == .ask)
    #expect(machine.frameArrived(at: seconds(0.3)) == .none)
    #expect(machine.deadlineReached(at: machine.nextDeadline) == .ask)
    #expect(machine.deadlineReached(at: machine.nextDeadline) == .read)
    #expect(machine.speed == 9_600)
  }

  @Test func aFrameEndsThePause() {
    var machine = SearchMachine(speed: 9_600, others: [], at: .zero)
    #expect(machine.deadlineReached(at: seconds(1)) == .pause(isFirst: true))
    #expect(machine.isPausing)
    #expect(machine.frameArrived(at: seconds(1.5)) == .ask)
    #expect(!machine.isPausing)
  }

  @Test func aRefusedSpeedIsPassedOver() {
    var machine = SearchMachine(speed: 38_400, others: SearchMachine.speeds, at: .zero)
    #expect(machine.deadlineReached(at: seconds(1)) == .change(9_600))
    #expect(machine.speedRefused(at: seconds(1)) == .change(115_200))
  }
}
