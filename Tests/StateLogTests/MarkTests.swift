import BinnacleBasics
import Simulation
import StateLog
import Testing

/// The mark of a log after damage and power cuts, and a log without a readable mark.
struct MarkTests {
  private typealias Mark = CommitMarkFile<SimulatedDisk>

  private static let owner: UInt64 = 7
  private static let services = RecordName(kind: 1)
  private static let grant = RecordName(kind: 12)
  private static let geometry = LogGeometry(blockSize: 512, blocksPerSegment: 8) ?? .ofFile
  /// Commits with an answer of a person.
  private static let allowed = Change(grant, .put([3], isCautious: true))
  private static let denied = Change(grant, .put([2], isCautious: true))
  private static let turnedOn = Change(services, .put([1], isCautious: true))
  private static let turnedOff = Change(services, .put([0], isCautious: true))

  private static func mark(
    on disk: SimulatedDisk = SimulatedDisk(byteCount: CommitMark.byteCount)
  ) -> Mark {
    Mark(on: disk, owner: owner, protecting: [1])
  }

  /// A log with services on, an allowed app and a last decision, and its mark.
  private static func log(_ last: Change) throws -> (bytes: [UInt8], end: Int, mark: [UInt8]) {
    var mark = mark()
    mark.renew(sequence: 0, records: RecordSet())
    var log = try StateLog.create(
      on: SimulatedDisk(byteCount: geometry.byteCount), owner: owner, geometry: geometry)
    mark.renew(sequence: log.sequence, records: log.records)
    for change in [turnedOn, allowed, last] {
      var receipt = try log.commit([change])
      mark.acknowledge(&receipt, records: log.records, isNamedAtOnce: true, at: .zero)
    }
    return (log.file.durableBytes, log.acknowledgedBytes.upperBound, mark.file.durableBytes)
  }

  private static func recover(_ bytes: [UInt8], _ mark: MarkReading) -> Recovery {
    var disk = SimulatedDisk(holding: bytes)
    return Recovery(
      of: &disk, owner: owner, expecting: geometry, mark: mark, protecting: [1])
  }

  @Test func aLogWithoutAReadableMarkIsDamagedAtItsEnd() throws {
    let bytes = try MarkTests.log(MarkTests.turnedOn).bytes
    let faults: [(MarkReading, String)] = [(.missing, "missing"), (.unreadable, "unreadable")]
    for (reading, text) in faults {
      let found = MarkTests.recover(bytes, reading)
      #expect(found.verdict == .damaged)
      #expect(
        found.losses.map(\.description) == ["its mark is \(text), so commits after 3 may be lost"])
      #expect(found.records.isEmpty)
      #expect(Set(found.withheld) == [MarkTests.services, MarkTests.grant])
    }
    // A copy of a log has no mark.
    let copy = MarkTests.recover(bytes, .unused)
    #expect(copy.verdict == .sound)
    #expect(copy.records.entries.count == 2)
  }

  @Test func aBlankLogMayBeNewWithoutAMarkOnly() {
    let zeros = [UInt8](repeating: 0, count: MarkTests.geometry.byteCount)
    #expect(MarkTests.recover(zeros, .missing).losses.isEmpty)
    #expect(!MarkTests.recover(zeros, .unreadable).losses.isEmpty)
  }

  /// The bytes of the last block and of one page, or both pages, are replaced.
  @Test(arguments: [0..<4_096, 4_096..<8_192, 0..<8_192], [UInt8(0), 0xFF])
  func aLostDecisionIsReportedWithAnyDamagedPage(pages: Range<Int>, fill: UInt8) throws {
    for last in [MarkTests.turnedOff, MarkTests.denied] {
      let whole = try MarkTests.log(last)
      var bytes = whole.bytes
      for index in whole.end - MarkTests.geometry.blockSize..<whole.end { bytes[index] = fill }
      var markBytes = whole.mark
      for index in pages { markBytes[index] = fill }
      var mark = MarkTests.mark(on: SimulatedDisk(holding: markBytes))
      let found = MarkTests.recover(bytes, mark.inspect())
      #expect(!found.losses.isEmpty)
      #expect(found.records[MarkTests.services] != [1] || last == MarkTests.denied)
      #expect(found.records[MarkTests.grant] != [3])
    }
  }

  @Test(arguments: [0, 4_096])
  func aDamagedPageIsWrittenAgainAtTheNextStart(offset: Int) {
    var mark = MarkTests.mark()
    mark.renew(sequence: 5, records: RecordSet())
    let whole = mark.file.durableBytes
    var damaged = whole
    damaged[offset] ^= 1
    var next = MarkTests.mark(on: SimulatedDisk(holding: damaged))
    next.renew(sequence: 5, records: RecordSet())
    #expect(next.file.durableBytes == whole)
  }

  @Test(arguments: [0, 1])
  func aPageThatTheDiskCannotReadIsLikeADamagedPage(page: Int) throws {
    let whole = try MarkTests.log(MarkTests.turnedOff)
    let failure = SimulatedDisk.Failure(call: page, fault: .inputOutput, damage: .nothing)
    var mark = MarkTests.mark(on: SimulatedDisk(holding: whole.mark))
    mark.file.expect(.fail(failure))
    let reading = mark.inspect()
    #expect(mark.file.hasFailed)
    #expect(reading.mark?.sequence == 4)
    let found = MarkTests.recover(whole.bytes, reading)
    #expect(found.verdict == .sound)
    #expect(found.records[MarkTests.services] == [0])
    // The other page is blank: without the unreadable page the mark is not known to be missing.
    var blank = MarkTests.mark()
    blank.file.expect(.fail(failure))
    let unread = blank.inspect()
    #expect(unread == .unreadable)
  }

  @Test func aFaultOfTheSecondPageEndsWhenThatPageIsWritten() {
    var mark = MarkTests.mark()
    mark.renew(sequence: 5, records: RecordSet())
    // The first call of a decision writes the second page.
    mark.file.expect(
      .fail(SimulatedDisk.Failure(call: 0, fault: .inputOutput, damage: .nothing)))
    var decision = CommitReceipt(
      sequence: 6, bytesWritten: 0, flushCount: 0, isCompaction: false)
    mark.acknowledge(&decision, records: RecordSet(), isNamedAtOnce: true, at: .zero)
    #expect(mark.fault == .inputOutput)
    mark.file.expect(.nothing)
    mark.settle()
    #expect(mark.fault == .inputOutput)
    var next = CommitReceipt(sequence: 7, bytesWritten: 0, flushCount: 0, isCompaction: false)
    mark.acknowledge(&next, records: RecordSet(), at: .zero)
    #expect(mark.fault == nil)
    let named: UInt64? = mark.read()?.protection?.sequence
    #expect(named == 7)
  }

  // MARK: Power cuts

  @Test(arguments: [false, true], 0..<5)
  func aPowerCutLeavesAPageReadable(isPageUnflushed: Bool, call: Int) {
    var count = 0
    var unreadableCount = 0
    Choices.all { choices in
      var mark = MarkTests.mark()
      mark.renew(sequence: 5, records: RecordSet())
      if isPageUnflushed {
        var receipt = CommitReceipt(
          sequence: 6, bytesWritten: 0, flushCount: 0, isCompaction: false)
        mark.acknowledge(&receipt, records: RecordSet(), at: .zero)
        mark.settle()
      }
      mark.file.expect(.cut(call: call))
      var decision = CommitReceipt(
        sequence: 7, bytesWritten: 0, flushCount: 0, isCompaction: false)
      mark.acknowledge(&decision, records: RecordSet(), isNamedAtOnce: true, at: .zero)
      mark.file.cutPower(&choices)
      count += 1
      if mark.read() == nil { unreadableCount += 1 }
      return true
    }
    #expect(count > 0)
    #expect(unreadableCount == 0)
  }

  /// A log with the record of the loss replaces a lost log; the power is cut at a call, or the call fails.
  @Test(arguments: 0..<4, [false, true])
  func anInterruptedReplacementOfALostLogDoesNotHideTheLoss(call: Int, isCut: Bool) throws {
    var mark = MarkTests.mark(
      on: SimulatedDisk(holding: try MarkTests.log(MarkTests.turnedOff).mark))
    let reading = mark.inspect()
    let last = try #require(reading.mark?.sequence)
    let damage = Change(RecordName(kind: 11), .put([1], isCautious: false))
    var records = RecordSet()
    records.apply(MarkTests.turnedOff)
    records.apply(damage)
    var count = 0
    var hiddenCount = 0
    var servicesCount = 0
    Choices.all { choices in
      let shelf = Shelf(disk: SimulatedDisk(byteCount: MarkTests.geometry.byteCount))
      let failure = SimulatedDisk.Failure(call: call, fault: .inputOutput, damage: .nothing)
      shelf.disk.expect(isCut ? .cut(call: call) : .fail(failure))
      let log = try? StateLog.create(
        on: shelf, owner: MarkTests.owner, geometry: MarkTests.geometry, holding: records,
        after: last)
      if log == nil { count += 1 }
      shelf.disk.cutPower(&choices)
      let found = Recovery(
        of: &shelf.disk, owner: MarkTests.owner, expecting: MarkTests.geometry, mark: reading,
        protecting: [1])
      if found.losses.isEmpty, found.records[damage.name] == nil { hiddenCount += 1 }
      if found.records[MarkTests.services] != [0] { servicesCount += 1 }
      return true
    }
    #expect(count > 0)
    #expect(hiddenCount == 0)
    #expect(servicesCount == 0)
  }

  /// The stages: the mark that names no commit, the log, the mark that names the first commit.
  @Test(arguments: 0..<3, 0..<7)
  func aPowerCutAtTheFirstStartIsNoDamage(stage: Int, call: Int) {
    var count = 0
    var verdicts: [Recovery.Verdict] = []
    var lossCount = 0
    Choices.all { choices in
      let found = MarkTests.firstStart(stage: stage, call: call, &choices)
      verdicts.append(found.verdict)
      lossCount += found.losses.count
      count += 1
      return true
    }
    #expect(count > 0)
    #expect(verdicts.allSatisfy { $0 == .blank || $0 == .sound })
    #expect(lossCount == 0)
  }

  /// Creates mark and log as the daemon does, and cuts the power at a call of a stage.
  private static func firstStart(stage: Int, call: Int, _ choices: inout Choices) -> Recovery {
    var mark = mark()
    let shelf = Shelf(disk: SimulatedDisk(byteCount: geometry.byteCount))
    if stage == 0 { mark.file.expect(.cut(call: call)) }
    mark.renew(sequence: 0, records: RecordSet())
    if stage == 1 { shelf.disk.expect(.cut(call: call)) }
    if !mark.file.isOff,
      let log = try? StateLog.create(on: shelf, owner: owner, geometry: geometry)
    {
      if stage == 2 { mark.file.expect(.cut(call: call)) }
      mark.renew(sequence: log.sequence, records: log.records)
    }
    mark.file.cutPower(&choices)
    shelf.disk.cutPower(&choices)
    let reading = mark.inspect()
    return Recovery(
      of: &shelf.disk, owner: owner, expecting: geometry, mark: reading, protecting: [1])
  }
}
