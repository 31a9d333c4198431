import BinnacleBasics
import BinnacleModel
import BinnacleWire
import Testing

struct OutboxTests {
  private static func transition(_ sequence: UInt32, _ flags: UInt16) -> Outbox.Kind {
    .transition(SequenceID(number: sequence), flags: flags, hasFix: false)
  }

  @Test func messagesLeaveInOrder() {
    var outbox = Outbox()
    for index in 0..<2_000 {
      #expect(outbox.append([UInt8(index % 251)], as: .fix) == .accepted)
      #expect(outbox.first == [UInt8(index % 251)])
      outbox.removeFirst()
    }
    #expect(outbox.isEmpty && outbox.droppedFixCount == 0)
  }

  @Test func theOldestFixGoesFirstAndIsCounted() {
    var outbox = Outbox()
    _ = outbox.append([1], as: OutboxTests.transition(1, 32))
    _ = outbox.append([2], as: .fix)
    _ = outbox.append([3], as: .fix)
    while outbox.count < Outbox.countMax { _ = outbox.append([9], as: .fix) }
    #expect(outbox.append([10], as: .fix) == .accepted)
    #expect(outbox.droppedFixCount == 1)
    #expect(outbox.first == [1])
    outbox.removeFirst()
    #expect(outbox.first == [3])
  }

  @Test func aFixOfManySequencesIsOneMessageAndCountsForEach() {
    var outbox = Outbox()
    for _ in 0..<Outbox.countMax { _ = outbox.append([9], as: .fixes(32)) }
    #expect(outbox.count == Outbox.countMax && outbox.droppedFixCount == 0)
    #expect(outbox.append([10], as: .fix) == .accepted)
    #expect(outbox.droppedFixCount == 32)
    var full = Outbox()
    for index in 0..<Outbox.countMax {
      _ = full.append([0], as: OutboxTests.transition(UInt32(index), 1))
    }
    #expect(full.append([0], as: .fixes(3)) == .accepted)
    #expect(full.droppedFixCount == 3)
  }

  @Test func transitionsAreCoalescedToTheLastOfAKind() {
    var outbox = Outbox()
    for index in 0..<Outbox.countMax {
      _ = outbox.append([UInt8(index % 2)], as: OutboxTests.transition(1, UInt16(index % 2)))
    }
    #expect(outbox.append([7], as: OutboxTests.transition(1, 0)) == .accepted)
    #expect(outbox.count == 2)
    #expect(outbox.first == [1])
    outbox.removeFirst()
    #expect(outbox.first == [7])
    #expect(outbox.coalescedTransitionCount == Outbox.countMax - 1)
  }

  @Test func transitionsThatAllDifferOverflow() {
    var outbox = Outbox()
    for index in 0..<Outbox.countMax {
      _ = outbox.append([0], as: OutboxTests.transition(UInt32(index), 1))
    }
    #expect(outbox.append([0], as: .fix) == .accepted)
    #expect(outbox.droppedFixCount == 1)
    #expect(outbox.append([0], as: OutboxTests.transition(5_000, 1)) == .overflowed)
  }

  @Test func answersOverflowEarly() {
    var outbox = Outbox()
    for _ in 0..<Outbox.answerCountMax { _ = outbox.append([0], as: .answer) }
    #expect(outbox.append([0], as: .answer) == .overflowed)
    #expect(outbox.append([0], as: .fix) == .accepted)
    outbox.removeFirst()
    #expect(outbox.append([0], as: .answer) == .accepted)
  }

  /// The outbox stays below its limit and in order; it drops only fixes, and a transition only if a later one follows.
  ///
  /// A later transition is of the same kind.
  @Test(arguments: 0..<20)
  func noTransitionOrAnswerIsLost(seed: Int) {
    var random = Random(seed: UInt64(seed))
    var outbox = Outbox()
    var kinds: [Outbox.Kind] = []
    var sent: [Int] = []
    let eagerness = random.unit() * 0.6
    let fixShare = random.unit()
    for number in 0..<6_000 {
      let kind: Outbox.Kind =
        random.chance(fixShare)
        ? .fix : OutboxTests.transition(UInt32(random.next() % 8), UInt16(random.next() % 8))
      kinds.append(kind)
      #expect(outbox.append([UInt8(number & 255), UInt8(number >> 8)], as: kind) == .accepted)
      #expect(outbox.count <= Outbox.countMax)
      while random.chance(eagerness), let first = outbox.first {
        sent.append(Int(first[0]) | Int(first[1]) << 8)
        outbox.removeFirst()
      }
    }
    while let first = outbox.first {
      sent.append(Int(first[0]) | Int(first[1]) << 8)
      outbox.removeFirst()
    }
    #expect(sent == sent.sorted())
    let lost = Set(0..<6_000).subtracting(sent)
    #expect(lost.count == outbox.droppedFixCount + outbox.coalescedTransitionCount)
    let lostFixes = lost.filter { kinds[$0] == .fix }
    #expect(lostFixes.count == outbox.droppedFixCount)
    for number in lost where kinds[number] != .fix {
      #expect(kinds[(number + 1)...].contains(kinds[number]))
    }
  }

  @Test func longAnswersOverflowBeforeTheyFillTheMemory() {
    var outbox = Outbox()
    let answer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)
    var count = 0
    while outbox.append(answer, as: .answer) == .accepted, count < 1_000 { count += 1 }
    #expect(count == Outbox.answerBytesMax / answer.count)
    outbox.removeFirst()
    #expect(outbox.append(answer, as: .answer) == .accepted)
  }
}
