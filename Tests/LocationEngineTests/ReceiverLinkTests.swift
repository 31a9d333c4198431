import BinnacleBasics
import Testing

@testable import LocationEngine

@Suite struct ReceiverLinkTests {
  private func link(_ speed: Int) -> ReceiverLink {
    ReceiverLink(.init(kind: .uart, speed: speed), at: .zero)
  }

  /// A damaged length of 8 kB is 8.5 s of a line at 9600 baud: good frames must not wait behind it so long.
  @Test func aHostileLengthIsAbandonedWhileBytesArrive() throws {
    var link = link(9_600)
    var now = Instant.zero
    var given: Instant?
    for piece in 1...85 where given == nil {
      now += .milliseconds(100)
      link.bytesRead(
        96, streamEnd: piece * 96, frameOffset: 10, bytesAwaited: 8_192 - piece * 96,
        damageOccurrences: 0,
        epochMilliseconds: nil,
        patience: .none, at: now)
      if let due = link.nextDeadline, due <= now, link.givesUpPartial(at: now) { given = now }
    }
    let instant = try #require(given)
    #expect((Interval.seconds(2)...Interval.seconds(3)).contains(instant - .zero))
  }

  @Test func aFrameWhoseBytesComeSlowlyIsWaitedFor() {
    var link = link(115_200)
    var now = Instant.zero
    for piece in 1...8 {
      now += .milliseconds(100)
      link.bytesRead(
        96, streamEnd: piece * 96, frameOffset: 10, bytesAwaited: 800 - piece * 96,
        damageOccurrences: 0,
        epochMilliseconds: nil,
        patience: .none, at: now)
      let isGivenUp = link.givesUpPartial(at: now)
      #expect(!isGivenUp)
    }
  }

  @Test func theNextFrameHasItsOwnTime() throws {
    var link = link(115_200)
    for frame in 0..<50 {
      let now = Instant.zero + .milliseconds(100) * Int64(frame)
      link.bytesRead(
        100, streamEnd: frame * 100 + 100, frameOffset: frame * 100, bytesAwaited: 50,
        damageOccurrences: 0,
        epochMilliseconds: nil, patience: .none,
        at: now)
      let due = try #require(link.nextDeadline)
      #expect(due > now + .milliseconds(200))
    }
  }

  @Test func aFrameThatStopsIsGivenUpSoon() {
    var link = link(9_600)
    link.bytesRead(
      20, streamEnd: 20, frameOffset: 0, bytesAwaited: 80, damageOccurrences: 0,
      epochMilliseconds: nil, patience: .none,
      at: .zero)
    let early = link.givesUpPartial(at: .zero + .milliseconds(280))
    let late = link.givesUpPartial(at: .zero + .milliseconds(290))
    #expect(!early && late)
    #expect(link.nextDeadline == nil)
  }

  /// How long answers may take after ten seconds in which so many bytes came each 100 ms.
  private func answerDelay(afterBytes count: Int, of kind: Event.ReceiverPort.Kind) -> Interval {
    var link = ReceiverLink(.init(kind: kind, speed: 9_600), at: .zero)
    for read in 1...100 {
      link.bytesRead(
        count, streamEnd: read * count, frameOffset: read * count, bytesAwaited: 0,
        damageOccurrences: 0, epochMilliseconds: nil, patience: .none,
        at: .zero + .milliseconds(100) * Int64(read))
    }
    return link.answerDelayMax
  }

  /// 4,096 bytes take 4.27 s at 9600 baud.
  @Test func onAFullLineAnswersWaitBehindTheTransmitBuffer() {
    #expect(answerDelay(afterBytes: 96, of: .uart) == Interval(nanoseconds: 4_266_666_666))
    #expect(answerDelay(afterBytes: 96, of: .pseudoTerminal) > .seconds(4))
    #expect(answerDelay(afterBytes: 80, of: .uart) == .zero)
    // A recording that is played faster, and a bus, have another pace than the speed says.
    #expect(answerDelay(afterBytes: 200, of: .pseudoTerminal) == .zero)
    #expect(answerDelay(afterBytes: 96, of: .usb) == .zero)
  }

  @Test func aLineIsFullNoLongerWhenFewerBytesCome() {
    var link = link(9_600)
    for read in 1...100 {
      link.bytesRead(
        read < 50 ? 96 : 40, streamEnd: read * 96, frameOffset: read * 96, bytesAwaited: 0,
        damageOccurrences: 0, epochMilliseconds: nil, patience: .none,
        at: .zero + .milliseconds(100) * Int64(read))
    }
    #expect(link.answerDelayMax == .zero)
  }

  /// The load is known when reading has begun already.
  @Test func onAFullLineTheReceiverIsAskedEachTenSecondsAndItsAnswerAwaitedForSeven() {
    var link = link(9_600)
    var source = ReadOnlySource(.silence, times: 1, at: .zero)
    link.frameArrived(at: .zero + .seconds(55))
    #expect(source.nextDeadline(link) == .zero + .seconds(60))
    for read in 1...60 {
      link.bytesRead(
        96, streamEnd: read * 96, frameOffset: read * 96, bytesAwaited: 0,
        damageOccurrences: 0, epochMilliseconds: nil, patience: .none,
        at: .zero + .milliseconds(100) * Int64(read))
    }
    let due = Instant.zero + .seconds(10)
    link.frameArrived(at: due)
    #expect(source.nextDeadline(link) == due)
    let action = source.deadlineReached(link, at: due)
    #expect(action == .ask)
    #expect(source.isAnswerAwaited(at: due + .milliseconds(7_200)))
    #expect(!source.isAnswerAwaited(at: due + .milliseconds(7_300)))
  }
}
