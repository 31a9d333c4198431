import BinnacleBasics
import LocationEngine
public import StateLog

/// A log on a simulated disk, and the promises of the log: both must agree after every event.
///
/// Acknowledged commits are present. Of the commits that failed or were cut off since, one may be present completely,
/// and the others are absent. A power cut is never reported as damage.
public struct StateTrial<Disk: StateDisk> {
  /// The operations of apps and the daemon on a log.
  public enum Operation: Equatable, Sendable {
    case put([(name: Int, size: Int)])
    case remove(name: Int)
    /// Adds the next stretch of a track, and removes older stretches.
    case stretch(number: UInt32, size: Int, removing: [RecordName])
    /// The program is killed and started again; the power stays.
    case restart

    public static func == (left: Operation, right: Operation) -> Bool {
      "\(left)" == "\(right)"
    }
  }

  /// A rule that a log may break.
  public enum Rule: Sendable {
    /// Acknowledged commits are present; other commits are completely present or completely absent.
    case promise
    /// The running log reports the records that it has promised.
    case running
    /// Acknowledged bytes are never written again.
    case rewriting
    /// A power cut is not reported as damage.
    case verdict
  }

  public struct Violation: Sendable, CustomStringConvertible {
    public let rule: Rule
    /// The description of the violation, for a person.
    public let text: String

    public var description: String { "\(rule): \(text)" }
  }

  public static var owner: UInt64 { 0x0123_4567_89AB_CDEF }

  public let geometry: LogGeometry
  /// The violations; empty while no rule is broken.
  public private(set) var violations: [Violation] = []
  public private(set) var log: StateLog<Disk>?
  /// The number of acknowledged commits, and of those that began the other segment, by the log's own receipts.
  public private(set) var commitCount = 0
  public private(set) var compactionCount = 0
  /// The disk while no log is open on it.
  private var closed: Disk
  /// The records that the log has acknowledged.
  private var promised: [RecordName: [UInt8]] = [:]
  /// The records that the log may hold instead: each attempt since that was neither acknowledged nor refused.
  private var doubtful: [[RecordName: [UInt8]]] = []
  private var valueCount: UInt64 = 0

  public init(geometry: LogGeometry) {
    self.geometry = geometry
    closed = Disk(on: SimulatedDisk(byteCount: 0))
    let disk = Disk(on: SimulatedDisk(byteCount: geometry.byteCount))
    do throws(CommitFailure) {
      log = try StateLog.create(on: disk, owner: StateTrial.owner, geometry: geometry)
    } catch {
      complain(.verdict, "a log cannot be begun: \(error)")
    }
  }

  /// A digest of everything that decides the result of a power cut.
  public var digestBeforeCut: Int {
    var hasher = Hasher()
    disk.hashContent(into: &hasher)
    hasher.combine(promised)
    hasher.combine(doubtful)
    hasher.combine(violations.count)
    return hasher.finalize()
  }

  public var disk: SimulatedDisk { log?.file.disk ?? closed.disk }

  /// Plans a fault; the calls are counted from now.
  public mutating func expect(_ plan: SimulatedDisk.Plan) {
    if log == nil { closed.disk.expect(plan) } else { log?.file.disk.expect(plan) }
  }

  /// Carries out an operation on an open log; after a power cut the operation has no effect.
  public mutating func perform(_ operation: Operation) {
    guard !disk.isOff else { return }
    switch operation {
    case .restart:
      close()
      closed.disk.reopen()
      open()
    case .remove(let name): commit([Change(StateTrial.name(name), .remove)])
    case .stretch(let number, let size, let old):
      let name = RecordName(kind: RecordTable.track.number, key: TrackKey.bytes(number))
      let put = name.map { Change($0, .put(value(size), isCautious: false)) }
      commit(old.map { Change($0, .remove) } + (put.map { [$0] } ?? []))
    case .put(let values):
      commit(
        values.map { number, size in
          let name = StateTrial.name(number)
          let isCautious = RecordTable.kind(name.kind)?.isCautious ?? true
          return Change(name, .put(value(size), isCautious: isCautious))
        })
    }
  }

  /// Cuts the power and restores it; then a new program opens the log.
  public mutating func cutPower(_ choices: inout Choices) {
    close()
    closed.disk.cutPower(&choices)
    open()
  }

  private mutating func close() {
    if let log { closed = log.file }
    log = nil
  }

  /// A record name of each type in turn, known or unknown.
  public static func name(_ number: Int) -> RecordName {
    let kinds = RecordTable.all.map(\.number) + [40_000]
    let key = number / kinds.count
    return RecordName(
      kind: kinds[number % kinds.count], key: key == 0 ? [] : [UInt8](repeating: 7, count: key))
      ?? RecordName(kind: 0)
  }

  /// A value that was never used before.
  private mutating func value(_ size: Int) -> [UInt8] {
    valueCount += 1
    var writer = ByteWriter()
    writer.u64(valueCount)
    while writer.count < size { writer.u8(UInt8(truncatingIfNeeded: valueCount)) }
    return Array(writer.bytes.prefix(max(size, 8)))
  }

  private mutating func commit(_ changes: [Change]) {
    guard let protected = log?.acknowledgedBytes else { return }
    let writtenBefore = disk.written.count
    var wanted = promised
    for change in changes {
      if case .put(let value, _) = change.action { wanted[change.name] = value }
      if case .remove = change.action { wanted[change.name] = nil }
    }
    do throws(CommitFailure) {
      let receipt = try log?.commit(changes)
      promised = wanted
      if receipt?.sequence != nil {
        doubtful = []
        commitCount += 1
      }
      if receipt?.isCompaction == true { compactionCount += 1 }
    } catch {
      if case .fault = error { doubtful.append(wanted) }
    }
    if disk.written[writtenBefore...].contains(where: { $0.overlaps(protected) }) {
      complain(.rewriting, "acknowledged bytes \(protected) were written again")
    }
    if let log, contents(log.records) != promised {
      complain(.running, "the running log does not have the acknowledged records")
    }
  }

  private mutating func open() {
    let recovery = Recovery(of: &closed, owner: StateTrial.owner, expecting: geometry)
    if closed.disk.isOff { return }
    if closed.disk.hasFailed, recovery.verdict != .sound {
      // A disk that failed to read a block: the reported records must be right nevertheless, and a later read may
      // succeed.
      for entry in recovery.records.entries where entry.isCautious {
        let values = ([promised] + doubtful).map { $0[entry.name] }
        if !values.contains(entry.value) { complain(.promise, "\(entry.name) is invented") }
      }
      closed.disk.reopen()
      closed.disk.expect(.nothing)
      open()
      return
    }
    if recovery.verdict != .sound {
      complain(.verdict, "a power cut is called \(recovery.verdict)")
    }
    accept(recovery)
  }

  private mutating func accept(_ recovery: Recovery) {
    let found = contents(recovery.records)
    if found != promised, !doubtful.contains(found) {
      complain(
        .promise,
        "\(found.count) records in place of \(promised.count) acknowledged records, or other records or values"
      )
    }
    // Data that could not be flushed is not promised before a commit has written the data again.
    doubtful = recovery.flushFault == nil ? [] : doubtful + [promised]
    promised = found
    log = StateLog(continuing: recovery, on: closed)
    if log == nil {
      complain(.verdict, "the log cannot be gone on with")
    } else {
      closed = Disk(on: SimulatedDisk(byteCount: 0))
    }
  }

  private mutating func complain(_ rule: Rule, _ text: String) {
    violations.append(Violation(rule: rule, text: text))
  }

  private func contents(_ records: RecordSet) -> [RecordName: [UInt8]] {
    var contents: [RecordName: [UInt8]] = [:]
    for entry in records.entries { contents[entry.name] = entry.value }
    return contents
  }
}
