import BinnacleBasics
import Testing

@testable import I2C

extension I2COrder {
  fileprivate var transfers: [I2CTransfer] {
    steps.compactMap { if case .transfer(let transfer) = $0 { transfer } else { nil } }
  }
}

/// Conversations with the machine: what it puts on the bus and what it makes of the answers.
private struct Desk {
  var machine = DDCMachine(address: 0x42)
  var now = Instant.zero
  var seen: [DDCMachine.Action] = []
  var order: (order: I2COrder, number: UInt64, dueAt: Instant)?
  var write: (bytes: [UInt8], number: UInt64)?

  init(isOpen: Bool = true) {
    var actions: [DDCMachine.Action] = []
    machine.open(at: now, into: &actions)
    take(actions)
    if isOpen { answer([[0, 0], [0, 0]]) }
  }

  /// How the order at hand begins.
  var register: UInt8? {
    guard let first = order?.order.transfers.first?.parts.first, case .write(let bytes) = first
    else { return nil }
    return bytes.first
  }

  var readCount: Int? { order?.order.transfers.first?.readCounts.first }

  var received: [[UInt8]] {
    seen.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
  }

  mutating func answer(_ answers: [[UInt8]]) { finish(answers, nil) }

  mutating func fail(_ kind: I2CFailure) { finish([], I2CFault(kind, "test")) }

  private mutating func finish(_ answers: [[UInt8]], _ failure: I2CFault?) {
    guard let order else { return }
    self.order = nil
    now = max(now, order.dueAt)
    var actions: [DDCMachine.Action] = []
    machine.finished(
      number: order.number, answers: answers, failure: failure, at: now, into: &actions)
    take(actions)
  }

  mutating func finishWrite(_ kind: I2CFailure? = nil) {
    guard let write else { return }
    self.write = nil
    var actions: [DDCMachine.Action] = []
    machine.finished(
      number: write.number, answers: [], failure: kind.map { I2CFault($0, "test") }, at: now,
      into: &actions)
    take(actions)
  }

  mutating func send(_ bytes: [UInt8]) {
    var actions: [DDCMachine.Action] = []
    machine.write(bytes, at: now, into: &actions)
    take(actions)
  }

  mutating func give(
    _ input: (inout DDCMachine, Instant, inout [DDCMachine.Action]) -> Void
  ) {
    var actions: [DDCMachine.Action] = []
    input(&machine, now, &actions)
    take(actions)
  }

  private mutating func take(_ actions: [DDCMachine.Action]) {
    for action in actions {
      seen.append(action)
      switch action {
      case .put(let order, let number, let dueAt):
        if case .write(let bytes)? = order.transfers[0].parts.first, order.transfers.count == 1,
          order.transfers[0].parts.count == 1
        {
          write = (bytes, number)
        } else {
          self.order = (order, number, dueAt)
        }
      case .takeBack(let number): if order?.number == number { order = nil }
      case .opened, .failed, .bytes, .readyLineGivenUp, .drained: continue
      }
    }
  }
}

@Suite struct DDCMachineTests {
  @Test func aSleepingReceiverIsNotPolledAndItsOldDataIsFetchedInPieces() {
    var desk = Desk()
    desk.send([0xB5, 0x62, 0x02, 0x41])
    desk.give { $0.attend(false, at: $1, into: &$2) }
    #expect(desk.order == nil)
    desk.finishWrite()
    desk.give { $0.readyLineRose(at: $1, into: &$2) }
    #expect(desk.order == nil)
    desk.now = desk.now + .seconds(3_600)
    desk.give { $0.attend(true, at: $1, into: &$2) }
    #expect(desk.register == 0xFD)
    #expect(desk.order?.dueAt == desk.now)
    desk.answer([[0x10, 0x00], [0x10, 0x00]])
    #expect(desk.readCount == 512)
    desk.answer([[UInt8](repeating: 0x55, count: 512)])
    desk.answer([[0, 0], [0, 0]])
    desk.answer([[0x10, 0x00], [0x10, 0x00]])
    #expect(desk.readCount == 4_096)
  }

  @Test func aWokenReceiverMayAnswerLaterThanAnAwakeReceiver() {
    var desk = Desk()
    desk.give { $0.attend(false, at: $1, into: &$2) }
    desk.give { $0.attend(true, at: $1, into: &$2) }
    let start = desk.now
    while desk.now - start < .seconds(5) { desk.fail(.noAcknowledge) }
    #expect(!desk.seen.contains { if case .failed = $0 { true } else { false } })
    while desk.now - start < .seconds(7), desk.order != nil { desk.fail(.noAcknowledge) }
    #expect(desk.seen.contains { if case .failed = $0 { true } else { false } })
  }

  @Test func theLengthIsReadTwiceBeforeThatManyBytesAreRead() {
    var desk = Desk()
    #expect(desk.seen.contains(.opened))
    #expect(desk.register == 0xFD)
    #expect(desk.order?.order.transfers.count == 2)
    desk.answer([[0x01, 0x2C], [0x01, 0x2C]])
    #expect(desk.register == 0xFF)
    #expect(desk.readCount == 300)
    desk.answer([[0xB5, 0x62]])
    #expect(desk.received == [[0xB5, 0x62]])
    #expect(desk.register == 0xFD)
  }

  /// More may have come between the two, never less.
  @Test(arguments: [
    ([[0, 100], [0, 200]], 100), ([[0x40, 100], [0, 100]], nil), ([[0x80, 100], [0, 100]], 100),
    ([[0xFF, 0xFF], [0, 100]], nil), ([[0x10, 1], [0, 100]], nil), ([[0, 127], [0, 50]], 50),
    ([[0, 0], [0, 50]], nil), ([[0, 100]], nil), ([[0], [0, 100]], nil),
  ])
  func aLengthThatCannotBeIsNotAccepted(answers: [[UInt8]], count: Int?) {
    var desk = Desk()
    desk.answer(answers)
    #expect(desk.register == (count == nil ? 0xFD : 0xFF))
    if let count { #expect(desk.readCount == count) }
  }

  @Test func fillerBytesAloneAreDiscarded() {
    var desk = Desk()
    desk.answer([[0, 3], [0, 3]])
    desk.answer([[0xFF, 0xFF, 0xFF]])
    #expect(desk.received.isEmpty)
    desk.answer([[0, 3], [0, 3]])
    desk.answer([[0xFF, 0xB5, 0xFF]])
    #expect(desk.received == [[0xFF, 0xB5, 0xFF]])
  }

  @Test func aReadThatFailedIsNotRepeated() {
    var desk = Desk()
    desk.answer([[0, 100], [0, 100]])
    desk.fail(.timeOut)
    #expect(desk.register == 0xFD)
    #expect(desk.machine.counters.timeOuts == 1)
    #expect(!desk.seen.contains { if case .failed = $0 { true } else { false } })
  }

  @Test func pollingFollowsTheNavigationRate() {
    var desk = Desk()
    func pause() -> Interval? { desk.order.map { $0.dueAt - desk.now } }
    desk.answer([[0, 0], [0, 0]])
    #expect(pause() == .milliseconds(100))
    desk.machine.rateHz = 2
    desk.answer([[0, 0], [0, 0]])
    #expect(pause() == .milliseconds(50))
    desk.machine.rateHz = 25
    desk.answer([[0, 0], [0, 0]])
    #expect(pause() == .milliseconds(25))
  }

  @Test func theReadyLineReplacesPolling() {
    var desk = Desk()
    desk.give { $0.readyLineChanged(isThere: true, at: $1, into: &$2) }
    desk.answer([[0, 0], [0, 0]])
    #expect(desk.order.map { $0.dueAt - desk.now } == .seconds(1))
    desk.give { $0.readyLineRose(at: $1, into: &$2) }
    #expect(desk.order?.dueAt == desk.now)
    desk.give { $0.readyLineChanged(isThere: false, at: $1, into: &$2) }
    desk.answer([[0, 0], [0, 0]])
    #expect(desk.order.map { $0.dueAt - desk.now } == .milliseconds(100))
  }

  /// A line to the wrong pin must not slow the receiver down for ever.
  @Test func aSilentReadyLineIsAbandoned() {
    var desk = Desk()
    desk.give { $0.readyLineChanged(isThere: true, at: $1, into: &$2) }
    for _ in 0..<3 {
      desk.answer([[0, 0], [0, 0]])
      desk.answer([[0, 112], [0, 112]])
      desk.answer([[UInt8](repeating: 1, count: 112)])
    }
    #expect(desk.seen.filter { $0 == .readyLineGivenUp }.count == 1)
    #expect(!desk.machine.hasReadyLine)
    desk.answer([[0, 0], [0, 0]])
    #expect(desk.order.map { $0.dueAt - desk.now } == .milliseconds(100))
  }

  @Test func writesAreSentInOrderAndTheLastOneIsReported() {
    var desk = Desk()
    desk.send([1, 2])
    desk.send([3, 4])
    #expect(desk.write?.bytes == [1, 2])
    desk.finishWrite()
    #expect(desk.write?.bytes == [3, 4])
    #expect(!desk.seen.contains(.drained))
    desk.finishWrite()
    #expect(desk.seen.last { $0 == .drained } == .drained)
    // Its answer is looked for at once.
    #expect(desk.order.map { $0.dueAt - desk.now } == .milliseconds(25))
  }

  @Test func aWriteIsTriedThreeTimes() {
    var desk = Desk()
    desk.send([1, 2])
    desk.finishWrite(.timeOut)
    desk.finishWrite(.noAcknowledge)
    #expect(desk.write?.bytes == [1, 2])
    desk.finishWrite(.timeOut)
    #expect(desk.write == nil)
    #expect(desk.machine.counters.writesLost == 1)
    #expect(desk.seen.contains(.drained))
  }

  @Test func aMissingReceiverIsReportedAfterThreeTries() {
    var desk = Desk(isOpen: false)
    desk.fail(.noAcknowledge)
    desk.fail(.noAcknowledge)
    #expect(!desk.seen.contains(.failed(I2CFault(.noAcknowledge, "test"))))
    desk.fail(.noAcknowledge)
    #expect(desk.seen.last == .failed(I2CFault(.noAcknowledge, "test")))
    #expect(desk.order == nil)
  }

  @Test(arguments: [I2CFailure.busy, .gone, .missing, .notPermitted])
  func aPermanentErrorIsReportedAtOnce(kind: I2CFailure) {
    var desk = Desk()
    desk.fail(kind)
    #expect(desk.seen.last == .failed(I2CFault(kind, "test")))
  }

  @Test func aReceiverThatStopsAnsweringIsGivenThreeSeconds() {
    var desk = Desk()
    var tries = 0
    while desk.order != nil, tries < 1_000 {
      desk.fail(.noAcknowledge)
      tries += 1
    }
    #expect(desk.seen.last == .failed(I2CFault(.noAcknowledge, "test")))
    #expect((Interval.seconds(3)...Interval.milliseconds(3_200)).contains(desk.now - .zero))
  }

  @Test func anAdapterThatRefusesLongReadsIsAskedForShorterOnes() {
    var desk = Desk()
    desk.answer([[0x0F, 0xA0], [0x0F, 0xA0]])
    #expect(desk.readCount == 4_000)
    desk.fail(.refused)
    desk.answer([[0x0F, 0xA0], [0x0F, 0xA0]])
    #expect(desk.readCount == 2_048)
    desk.answer([[UInt8](repeating: 1, count: 2_048)])
    // The rest is fetched without a pause.
    #expect(desk.order?.dueAt == desk.now)
  }
}
