import BinnacleBasics
import Simulation
import Testing
import UBX

@testable import LocationEngine

/// Asking a simulated receiver who it is, over a line that garbles what comes at another speed.
struct ReceiverProbeTests {
  private struct Talk {
    var outcome: ReceiverProbe.Outcome?
    var written: [[UInt8]] = []
    var seconds = 0.0
  }

  private func receiver(_ generation: Generation, speed: Int? = nil) -> SimulatedReceiver {
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: 1_790_000_000), body: Body(path: .still),
      skies: [World.Sky(start: .zero, visibility: 1)])
    var receiver = SimulatedReceiver(
      generation: generation, world: world, start: .hot, seed: 1, chunk: 8, at: .zero)
    if let speed { receiver.keepSpeed(speed) }
    return receiver
  }

  /// Lets a probe talk until it ends; nil: nothing hangs on the line.
  private func talk(
    with receiver: SimulatedReceiver?, openAt speed: Int, isHeardOnly: Bool = false,
    noise: [UInt8] = []
  ) -> Talk {
    var talk = Talk()
    var receiver = receiver
    var now = Instant.zero
    var lineSpeed = speed
    var probe = ReceiverProbe(speed: speed, isSpeedless: false, at: now)
    var actions = probe.opened()
    while now < .zero + .seconds(60) {
      var next: [ReceiverProbe.Action] = []
      for action in actions {
        switch action {
        case .write(let bytes):
          talk.written.append(bytes)
          if !isHeardOnly { receiver?.bytesArrived(bytes, at: lineSpeed, at: now) }
        case .changeSpeed(let speed):
          lineSpeed = speed
          next += probe.speedChanged(at: now)
        case .end(let outcome):
          talk.outcome = outcome
          talk.seconds = (now - .zero).seconds
          return talk
        }
      }
      actions = next
      guard actions.isEmpty else { continue }
      now = now + .milliseconds(5)
      receiver?.advance(to: now)
      for piece in receiver?.takeOutput() ?? [] {
        let heard = SerialSampling.heard(piece.bytes, sentAt: piece.speed, readAt: lineSpeed)
        if !heard.isEmpty { actions += probe.bytesArrived(heard, at: now) }
      }
      if !noise.isEmpty { actions += probe.bytesArrived(noise, at: now) }
      if probe.nextDeadline <= now { actions += probe.deadlineReached(at: now) }
    }
    return talk
  }

  @Test(arguments: [Generation.six, .m8, .m10], [9_600, 38_400, 115_200])
  func theProbeIdentifiesAReceiverAtEverySpeed(generation: Generation, speed: Int) throws {
    let talk = talk(with: receiver(generation, speed: speed), openAt: 9_600)
    guard case .answered(let text, speed) = talk.outcome else {
      Issue.record("\(generation) at \(speed): \(String(describing: talk.outcome))")
      return
    }
    #expect(text.hasPrefix("u-blox "))
    #expect(talk.seconds < 15)
  }

  /// The one order it gives is a question: a receiver that was only asked is as it was.
  @Test func nothingIsWrittenButTheQuestion() throws {
    for speed in [9_600, 115_200] {
      let talk = talk(with: receiver(.m10, speed: speed), openAt: 38_400)
      #expect(!talk.written.isEmpty)
      let poll = Poll(MonVER.self).frame
      for bytes in talk.written {
        #expect(Array(bytes.suffix(poll.count)) == poll)
        #expect(bytes.dropLast(poll.count).allSatisfy { $0 == 0xFF })
      }
    }
  }

  @Test func aReceiverThatDoesNotHearUsIsHeard() throws {
    let talk = talk(with: receiver(.m8, speed: 9_600), openAt: 38_400, isHeardOnly: true)
    #expect(talk.outcome == .heard(speed: 9_600))
  }

  @Test func aSilentLineIsAbandoned() throws {
    let talk = talk(with: nil, openAt: 9_600)
    #expect(talk.outcome == .silent)
    #expect(talk.seconds < 6)
  }

  @Test func noiseIsNoReceiver() throws {
    let talk = talk(with: nil, openAt: 9_600, noise: [0x00, 0xB5, 0x55])
    guard case .garbled(let bytes) = talk.outcome else {
      Issue.record("\(String(describing: talk.outcome))")
      return
    }
    #expect(bytes > 1_000)
    #expect(talk.seconds <= 20.1)
  }
}
