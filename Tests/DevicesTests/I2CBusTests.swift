import BinnacleBasics
import BinnaclePosix
import Glibc
import I2C
import Synchronization
import TestSupport
import Testing

@testable import Devices

@Suite struct I2CBusTests {
  private let read = I2CTransfer.read(2, from: 0x0F, of: 0x18)

  private func ticket(_ number: UInt64) -> I2COrder.Ticket {
    I2COrder.Ticket(.accelerometer, number: number)
  }

  /// Waits for so many outcomes.
  private func outcomes(_ count: Int, of bus: I2CBus) throws -> [I2COrder.Outcome] {
    var found: [I2COrder.Outcome] = []
    var poll = Poll()
    poll.set(bus.descriptor, .reading)
    let limit = Clock.now + .seconds(60)
    while found.count < count, Clock.now < limit {
      try poll.wait(until: limit)
      found += bus.outcomes()
    }
    return found
  }

  @Test func anOrderAnswersWithTheBytesOfItsReads() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { transfer in
      .answers(transfer.readCounts.map { Array(repeating: transfer.address, count: $0) })
    }
    let bus = try I2CBus(path: "sim:" + board.path)
    let write = I2CTransfer.write([0x80], to: 0x24, of: 0x19)
    #expect(bus.put(I2COrder([read, write, read]), ticket(1)))
    let found = try outcomes(1, of: bus)
    #expect(found.map(\.ticket) == [ticket(1)])
    #expect(found.map(\.answers) == [[[0x18, 0x18], [0x18, 0x18]]])
    #expect(found.first?.failure == nil)
    #expect(board.transfers == [read, write, read])
  }

  @Test func aMissingAcknowledgeIsTriedAgainAFewTimes() throws {
    let directory = try TemporaryDirectory()
    let refusals = Atomic(2)
    let board = try ScriptedBus(in: directory.path) { _ in
      refusals.subtract(1, ordering: .relaxed).oldValue > 0
        ? .failure(errno: UInt16(EREMOTEIO)) : .answers([[1, 2]])
    }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder([read], retriesMax: 2), ticket(1)))
    let good = try outcomes(1, of: bus)
    #expect(good.map(\.answers) == [[[1, 2]]])
    #expect(good.map(\.retryCount) == [2])
    refusals.store(3, ordering: .relaxed)
    #expect(bus.put(I2COrder([read, read], retriesMax: 2), ticket(2)))
    let bad = try outcomes(1, of: bus)
    #expect(bad.map(\.failure?.kind) == [.noAcknowledge])
    #expect(bad.map(\.answers) == [[]])
    #expect(board.transfers.count == 6)
  }

  @Test func errorsAreReportedByKind() throws {
    let kinds: [(Int32, I2CFailure)] = [
      (ENXIO, .noAcknowledge), (EREMOTEIO, .noAcknowledge), (ETIMEDOUT, .timeOut),
      (EBUSY, .timeOut), (EAGAIN, .arbitrationLost), (ENODEV, .gone), (EPERM, .notPermitted),
      (EOPNOTSUPP, .refused), (EIO, .failed),
    ]
    for (code, kind) in kinds { #expect(I2CDevice.kind(of: Errno(code: code)) == kind) }
  }

  @Test func anErrorNamesItsKindAndPlace() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { _ in .failure(errno: UInt16(ETIMEDOUT)) }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder([read]), ticket(1)))
    let failure = try outcomes(1, of: bus).first?.failure
    #expect(failure?.kind == .timeOut)
    #expect(failure?.description == "sim:\(board.path), address 0x18: Connection timed out")
    #expect(board.transfers.count == 1)
  }

  @Test func aBusThatIsNotThereIsAnOutcome() throws {
    let directory = try TemporaryDirectory()
    for path in ["sim:\(directory.path)/none", "\(directory.path)/i2c-1"] {
      let bus = try I2CBus(path: path)
      #expect(bus.put(I2COrder([read]), ticket(1)))
      let failure = try outcomes(1, of: bus).first?.failure
      #expect(failure?.kind == .missing)
      #expect(failure?.description.hasPrefix(path) == true)
    }
  }

  @Test func aFileThatIsNoBusIsRefused() throws {
    let bus = try I2CBus(path: "/dev/null")
    #expect(bus.put(I2COrder([read]), ticket(1)))
    #expect(try outcomes(1, of: bus).first?.failure?.kind == .refused)
  }

  @Test func aBusThatReturnsIsReopened() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { _ in .answers([[1, 2]]) }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder([read]), ticket(1)))
    #expect(try outcomes(1, of: bus).first?.failure == nil)
    board.hangUp()
    // The first order that finds the bus gone says so, the one after it finds it again.
    var last: I2CFailure?
    for number in 2..<200 {
      #expect(bus.put(I2COrder([read]), ticket(UInt64(number))))
      last = try outcomes(1, of: bus).first?.failure?.kind
      if last != nil { break }
    }
    #expect(last == .gone)
    #expect(bus.put(I2COrder([read]), ticket(999)))
    #expect(try outcomes(1, of: bus).first?.failure == nil)
  }

  @Test func aBoardWithoutABusReportsThat() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(
      in: directory.path, greeting: .refused(.init(.faceUnsupported, "no bus here"))
    ) { _ in nil }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder([read]), ticket(1)))
    let failure = try outcomes(1, of: bus).first?.failure
    #expect(failure?.kind == .missing)
    #expect(failure?.description == "sim:\(board.path): no bus here")
  }

  @Test func aStuckBusBlocksNoCallerAndQueuesALimitedNumberOfOrders() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { _ in nil }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder([read]), ticket(0)))
    let limit = Clock.now + .seconds(60)
    var poll = Poll()
    while board.transfers.isEmpty, Clock.now < limit {
      try poll.wait(until: Clock.now + .milliseconds(1))
    }
    var takenCount = 0
    while takenCount < 99, bus.put(I2COrder([read]), ticket(UInt64(takenCount + 1))) {
      takenCount += 1
    }
    // All of them were put while the first one was still stuck.
    #expect(bus.outcomes().isEmpty)
    #expect(takenCount == I2CQueue.ordersMax)
    bus.takeBackAll(of: .accelerometer)
    #expect(try outcomes(1, of: bus).first?.failure?.kind == .gone)
  }

  @Test func aPeriodicOrderIsCarriedOutUntilItIsTakenBack() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { _ in .answers([[1, 2]]) }
    let bus = try I2CBus(path: "sim:" + board.path)
    let order = I2COrder([read], period: .milliseconds(5))
    let start = Clock.now
    #expect(bus.put(order, ticket(1), dueAt: start + .milliseconds(20)))
    let found = try outcomes(4, of: bus)
    #expect(found.count >= 4)
    for (index, outcome) in found.enumerated() {
      #expect(outcome.began >= start + .milliseconds(20 + 5 * Int64(index)))
    }
    bus.takeBack(ticket(1))
    #expect(bus.put(I2COrder([read]), ticket(2)))
    // A turn that was done before may still lie there; none comes after it was taken back.
    #expect(try eventually { bus.outcomes().last?.ticket == ticket(2) })
    #expect(bus.outcomes().isEmpty)
  }

  @Test func aPeriodicOrderEndsWithItsFirstFailure() throws {
    let directory = try TemporaryDirectory()
    let count = Atomic(0)
    let board = try ScriptedBus(in: directory.path) { transfer in
      if transfer.address == 0x19 { return .answers([[3, 4]]) }
      return count.add(1, ordering: .relaxed).newValue < 3
        ? .answers([[1, 2]]) : .failure(errno: UInt16(EIO))
    }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder([read], period: .milliseconds(1)), ticket(1)))
    let found = try outcomes(3, of: bus)
    #expect(found.map(\.failure?.kind) == [nil, nil, .failed])
    let later = I2COrder([.read(2, from: 0, of: 0x19)])
    #expect(bus.put(later, ticket(2), dueAt: Clock.now + .milliseconds(20)))
    #expect(try outcomes(1, of: bus).map(\.ticket) == [ticket(2)])
  }

  private func fifo(
    _ manner: I2CCountedRead.Manner, isSteady: Bool = false
  ) -> I2CCountedRead {
    I2CCountedRead(
      level: .read(1, from: 0x39, of: 0x53), isBigEndian: false, mask: 0x3F, unitBytes: 6,
      wholeBytes: 6, bytesMax: 192, register: 0x32, manner: manner, isSteady: isSteady)
  }

  /// The parts of transfers, by what each reads.
  private func reads(_ board: ScriptedBus) -> [[Int]] { board.transfers.map(\.readCounts) }

  /// A bus with a chip that has 20 wholes every time it is asked.
  private func steadyBoard(in directory: String, isForOneRead: Bool) throws -> ScriptedBus {
    try ScriptedBus(in: directory) { transfer in
      if isForOneRead, transfer.readCounts.count > 1 { return .failure(errno: UInt16(EOPNOTSUPP)) }
      return .answers(transfer.readCounts.map { $0 == 1 ? [20] : Array(repeating: 5, count: $0) })
    }
  }

  /// Reads it again and again until one outcome is like that; turns are as far apart as a busy machine lets them be.
  private func readSteadily(
    _ bus: I2CBus, until isFound: (I2COrder.Outcome) -> Bool
  ) throws -> [I2COrder.Outcome] {
    let order = I2COrder(
      steps: [.counted(fifo(.burst, isSteady: true))], period: .milliseconds(20))
    #expect(bus.put(order, ticket(1)))
    var found: [I2COrder.Outcome] = []
    let limit = Clock.now + .seconds(20)
    while !found.contains(where: isFound), Clock.now < limit { found += try outcomes(1, of: bus) }
    let isThere = found.contains(where: isFound)
    #expect(isThere)
    #expect(found.allSatisfy { $0.failure == nil && $0.answers.count == 2 })
    return found
  }

  @Test func aSteadyChipIsReadTogetherWithItsLevelOnceItsRateIsKnown() throws {
    let directory = try TemporaryDirectory()
    let board = try steadyBoard(in: directory.path, isForOneRead: false)
    let bus = try I2CBus(path: "sim:" + board.path)
    let found = try readSteadily(bus) { _ in reads(board).contains { $0.count == 2 } }
    #expect(found.allSatisfy { $0.answers[0] == [20] })
    #expect(Array(reads(board).prefix(4)) == [[1], [120], [1], [120]])
    #expect(reads(board).allSatisfy { $0.count == 1 || $0[0] == 1 })
  }

  @Test func withOneReadInATransferASteadyChipIsReadWithoutItsLevelNowAndThen() throws {
    let directory = try TemporaryDirectory()
    let board = try steadyBoard(in: directory.path, isForOneRead: true)
    let bus = try I2CBus(path: "sim:" + board.path)
    let found = try readSteadily(bus) { $0.answers[0].isEmpty && !$0.answers[1].isEmpty }
    // Refused once, and never tried again.
    #expect(reads(board).count { $0.count == 2 } == 1)
    #expect(found.first?.answers[0] == [20])
  }

  @Test func outcomesThatAreDeliveredTogetherSignalOnce() throws {
    let desk = try I2CQueue()
    let order = I2COrder(
      steps: [.transfer(read)], period: .milliseconds(1), outcomesPerDelivery: 3)
    #expect(desk.put(order, ticket(1), dueAt: .zero))
    var poll = Poll()
    poll.set(desk.outcomeEvent.descriptor, .reading)
    var rung: [Bool] = []
    for turn in 1...7 {
      let now = Instant.zero + .milliseconds(Int64(turn))
      guard case .order(let entry) = desk.next(at: now) else { continue }
      let failure: I2CFault? = turn == 7 ? I2CFault(.timeOut, "stuck") : nil
      desk.finish(
        entry,
        I2COrder.Outcome(
          ticket: entry.ticket, answers: [], failure: failure, began: now, ended: now))
      let isRung = try poll.wait(until: .zero) > 0
      rung.append(isRung)
      if isRung { #expect(desk.outcomes().count == (turn == 7 ? 1 : 3)) }
    }
    #expect(rung == [false, false, true, false, false, true, true])
  }

  @Test func newsIsDeliveredAtOnce() throws {
    let desk = try I2CQueue()
    let order = I2COrder(
      steps: [.transfer(read)], period: .milliseconds(1), outcomesPerDelivery: 3,
      quiet: .answers([[0x33]]))
    #expect(desk.put(order, ticket(1), dueAt: .zero))
    var poll = Poll()
    poll.set(desk.outcomeEvent.descriptor, .reading)
    var told: [Int] = []
    for (turn, answer) in [0x33, 0x34, 0x33, 0x33, 0x33].enumerated() {
      let now = Instant.zero + .milliseconds(Int64(turn + 1))
      guard case .order(let entry) = desk.next(at: now) else { continue }
      desk.finish(
        entry,
        I2COrder.Outcome(
          ticket: entry.ticket, answers: [[UInt8(answer)]], began: now, ended: now))
      told.append(try poll.wait(until: .zero) > 0 ? desk.outcomes().count : 0)
    }
    #expect(told == [0, 2, 0, 0, 3])
  }

  @Test func aLevelStatesHowMuchIsRead() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { transfer in
      .answers(transfer.readCounts.map { $0 == 1 ? [0xC2] : Array(repeating: 5, count: $0) })
    }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder(steps: [.counted(fifo(.burst))]), ticket(1)))
    #expect(
      try outcomes(1, of: bus).map(\.answers) == [[[0xC2], Array(repeating: 5, count: 12)]])
    #expect(board.transfers.last == .read(12, from: 0x32, of: 0x53))
  }

  @Test func readsOfTheirOwnAreJoinedWhereTheAdapterCan() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { transfer in
      .answers(transfer.readCounts.map { $0 == 1 ? [30] : Array(repeating: 5, count: $0) })
    }
    let bus = try I2CBus(path: "sim:" + board.path)
    #expect(bus.put(I2COrder(steps: [.counted(fifo(.each))]), ticket(1)))
    #expect(try outcomes(1, of: bus).first?.answers.last?.count == 180)
    #expect(board.transfers.map(\.parts.count) == [2, 42, 18])
  }

  @Test func anAdapterThatTakesOneReadGetsOneAtATimeFromThenOn() throws {
    let directory = try TemporaryDirectory()
    let board = try ScriptedBus(in: directory.path) { transfer in
      transfer.parts.count > 2
        ? .failure(errno: UInt16(EOPNOTSUPP))
        : .answers(transfer.readCounts.map { $0 == 1 ? [3] : Array(repeating: 5, count: $0) })
    }
    let bus = try I2CBus(path: "sim:" + board.path)
    for number in 1...2 {
      #expect(bus.put(I2COrder(steps: [.counted(fifo(.each))]), ticket(UInt64(number))))
      let outcome = try outcomes(1, of: bus).first
      #expect(outcome?.failure == nil)
      #expect(outcome?.answers.last?.count == 18)
    }
    #expect(board.transfers.map(\.parts.count) == [2, 6, 2, 2, 2, 2, 2, 2, 2])
  }

  @Test func aPeriodicOrderPausesWhileItsOutcomesAreNotFetched() throws {
    let desk = try I2CQueue()
    let order = I2COrder([read], period: .milliseconds(1))
    #expect(desk.put(order, ticket(1), dueAt: .zero))
    var now = Instant.zero
    for _ in 0..<200 {
      now += .milliseconds(1)
      guard case .order(let entry) = desk.next(at: now) else { continue }
      desk.finish(
        entry, I2COrder.Outcome(ticket: entry.ticket, answers: [], began: now, ended: now))
    }
    #expect(desk.skippedCount == 200 - I2CQueue.outcomesMax)
    #expect(desk.outcomes().count == I2CQueue.outcomesMax)
    #expect(desk.outcomes().isEmpty)
  }
}
