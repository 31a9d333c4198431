import BinnacleBasics
import LocationEngine
import StateLog

/// Damage to the state log and its mark, drawn from a seed: commits, power cuts, damaged bytes.
///
/// The damage overwrites, cuts off or shifts bytes, as cards and operators do. The log must report
/// each loss of an acknowledged record that the mark names; a person's decisions are always named,
/// by both pages of the mark. A decision that location services are off must not be undone. A mark
/// without a readable page must be reported, and a power cut must not be reported as damage. The
/// engine reads the remaining records, and ``GrantTrial`` judges what it makes of the grants of apps.
public struct RotTrial {
  /// The effect of the damage.
  public enum Outcome: Equatable, Sendable {
    /// Everything that was acknowledged is present.
    case unharmed
    /// A record is lost, and the log reports the loss.
    case told
    /// A rule is broken.
    case violated(String)
  }

  private static let owner: UInt64 = 7
  private static let services = RecordName(kind: RecordTable.locationServices.number)

  private var random: Random
  private var choices: Choices
  /// Draws power cuts and damage of the mark, so that the log of a seed does not depend on them.
  private var markRandom: Random
  private var markChoices: Choices
  private let geometry: LogGeometry
  private let hasMark: Bool
  private let damagesMark: Bool
  private let noticesLostMark: Bool
  private let namesAtOnce: Bool
  private var log: StateLog<SimulatedDisk>?
  private var disk: SimulatedDisk
  private var mark: CommitMarkFile<SimulatedDisk>
  private var promised = RecordSet()
  /// The acknowledged states of the log since the commit that the mark names, which is the first one.
  private var unnamed: [RecordSet] = [RecordSet()]
  /// The acknowledged states of the log since the commit that both pages of the mark name.
  private var unnamedBySecondPage: [RecordSet] = [RecordSet()]
  private var markDamage = MarkDamage.nothing
  /// Whether the mark is damaged, and the log is not.
  private var isLogWhole = false
  private var violation: String?
  private let reader: GrantReader?
  /// The grants of apps after the damage.
  public private(set) var grants = GrantTrial.Counts()

  /// Whether the mark was damaged.
  public var isMarkDamaged: Bool { markDamage != .nothing }

  /// How the grants are read; the controls read them wrongly.
  public enum GrantReader: Sendable {
    case correct
    /// Reports no loss to the engine.
    case ignoresLosses
    /// Keeps grants whose last change may be lost.
    case keepsOlderAnswers
  }

  /// - Parameters:
  ///   - seed: determines all draws.
  ///   - hasMark: whether the commit mark exists as a second place; the control has no commit mark.
  ///   - damagesMark: whether power cuts also meet writes of the mark, and the mark is damaged.
  ///   - noticesLostMark: whether a log without a readable mark counts as damaged; the control
  ///     takes it for a log that never had a mark.
  ///   - namesAtOnce: whether the mark names a decision before the decision is acknowledged; in the control it does not.
  ///   - reader: how grants are read; nil: the log has no grants.
  public init(
    seed: UInt64, hasMark: Bool = true, damagesMark: Bool = true, noticesLostMark: Bool = true,
    namesAtOnce: Bool = true, reader: GrantReader? = .correct
  ) {
    self.reader = reader
    self.namesAtOnce = namesAtOnce
    self.damagesMark = damagesMark && hasMark
    self.noticesLostMark = noticesLostMark
    markRandom = Random(seed: seed ^ 0x6D61_726B)
    markChoices = Choices(seed: markRandom.next())
    random = Random(seed: seed)
    choices = Choices(seed: random.next())
    let shift = Int.random(in: 9...12, using: &random)
    let blocks = Int.random(in: 16...80, using: &random)
    geometry = LogGeometry(blockSize: 1 << shift, blocksPerSegment: blocks) ?? .ofFile
    self.hasMark = hasMark
    disk = SimulatedDisk(byteCount: geometry.byteCount)
    mark = RotTrial.mark(on: SimulatedDisk(byteCount: CommitMark.byteCount))
    // As the daemon does: the mark is there before the log.
    mark.renew(sequence: 0, records: RecordSet())
    log = try? StateLog.create(on: disk, owner: RotTrial.owner, geometry: geometry)
    if let log { mark.renew(sequence: log.sequence, records: log.records) }
  }

  private static func mark(on disk: SimulatedDisk) -> CommitMarkFile<SimulatedDisk> {
    CommitMarkFile(on: disk, owner: owner, protecting: RecordTable.protecting)
  }

  /// Runs the commits, and then damages the log.
  public mutating func run() -> Outcome {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        commit()
        // No commit has come for half a minute.
        if damagesMark, markRandom.chance(0.05) { settle() }
      }
      if random.chance(0.4) { cutPower() }
    }
    // The daemon has ended, or has made no commit for a while; or the power was cut before.
    if random.chance(0.6) { settle() }
    if violation == nil {
      let bytes = damaged()
      damageMark()
      judge(isLogWhole ? log?.file.durableBytes ?? [] : bytes)
    }
    if let violation { return .violated(violation) }
    return isTold ? .told : .unharmed
  }

  private var isTold = false

  private mutating func settle() {
    mark.settle()
    unnamed = [promised]
  }

  // MARK: Commits

  private mutating func commit() {
    var changes = [change()]
    if random.chance(0.1) { changes.append(change()) }
    var wanted = promised
    for change in changes { wanted.apply(change) }
    guard var receipt = try? log?.commit(changes) else { return }
    let isDecision = RecordTable.areNamedAtOnce(changes)
    let isSwitch = wanted[RotTrial.services] != promised[RotTrial.services]
    promised = wanted
    // A commit that changes no record writes nothing.
    if (isDecision || isSwitch) && receipt.sequence != nil {
      allIsNamed()
    } else {
      unnamed.append(promised)
      unnamedBySecondPage.append(promised)
    }
    acknowledge(&receipt, isDecision: isDecision)
  }

  private mutating func acknowledge(_ receipt: inout CommitReceipt, isDecision: Bool) {
    guard let log else { return }
    mark.acknowledge(
      &receipt, records: log.records, isNamedAtOnce: isDecision && namesAtOnce, at: .zero)
  }

  /// Both pages of the mark name the last commit.
  private mutating func allIsNamed() {
    unnamed = [promised]
    unnamedBySecondPage = [promised]
  }

  private mutating func change() -> Change {
    if reader != nil, random.chance(0.35) {
      return GrantTrial.change(isCautious: reader != .keepsOlderAnswers, using: &random)
    }
    if random.chance(0.15) {
      let value: [UInt8] = [random.chance(0.5) ? 1 : 0]
      return Change(RotTrial.services, .put(value, isCautious: true))
    }
    let key = [UInt8(Int.random(in: 0..<8, using: &random))]
    let name =
      RecordName(kind: RecordTable.appDefaults.number, key: key) ?? RotTrial.services
    if random.chance(0.1), name != RotTrial.services { return Change(name, .remove) }
    let size = random.chance(0.9) ? 12 : geometry.payloadPerBlock
    return Change(
      name,
      .put(
        (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }, isCautious: false))
  }

  /// Cuts the power during a commit, or in the write of the mark after it, and reads the log again.
  private mutating func cutPower() {
    let isDuringMark = damagesMark && markRandom.chance(0.4)
    let call = Int.random(in: 0...1, using: &random)
    if isDuringMark {
      if markRandom.chance(0.5) { reopenMark() }
      mark.file.expect(.cut(call: Int.random(in: 0...4, using: &markRandom)))
    } else {
      log?.file.expect(.cut(call: call))
    }
    let one = change()
    if var receipt = try? log?.commit([one]) {
      acknowledge(&receipt, isDecision: RecordTable.areNamedAtOnce([one]))
    }
    var attempted = promised
    attempted.apply(one)
    if let log { disk = log.file }
    disk.cutPower(&choices)
    mark.file.cutPower(&markChoices)
    let found = recovery(of: disk.durableBytes)
    if found.verdict != .sound || !found.losses.isEmpty {
      violation = "a power cut is called \(found.verdict), \(found.losses)"
    } else if found.records != promised, found.records != attempted {
      violation = "a power cut has cost what was acknowledged"
    }
    promised = found.records
    log = StateLog(continuing: found, on: disk)
    if let log { mark.renew(sequence: log.sequence, records: log.records) }
    allIsNamed()
  }

  /// The daemon is killed, and the next one opens the mark.
  private mutating func reopenMark() {
    mark.file.reopen()
    mark = RotTrial.mark(on: mark.file)
    if let log { mark.renew(sequence: log.sequence, records: log.records) }
    allIsNamed()
  }

  private mutating func recovery(of bytes: [UInt8]) -> Recovery {
    var disk = SimulatedDisk(holding: bytes)
    return Recovery(
      of: &disk, owner: RotTrial.owner, expecting: geometry, mark: reading(),
      protecting: RecordTable.protecting)
  }

  private mutating func reading() -> MarkReading {
    let reading = mark.inspect()
    let isUsed = hasMark && (noticesLostMark || reading.mark != nil)
    return isUsed ? reading : .unused
  }

  // MARK: Damage

  private mutating func damaged() -> [UInt8] {
    guard let log else { return [] }
    var bytes = log.file.durableBytes
    let end = log.acknowledgedBytes.upperBound
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2:
      // The last blocks that were written.
      let blocks = Int.random(in: 1...40, using: &random)
      overwrite(&bytes, max(0, end - blocks * geometry.blockSize)..<end)
    case 3, 4:
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let size = Int.random(in: 1...bytes.count - start, using: &random)
      overwrite(&bytes, start..<start + (random.chance(0.5) ? min(size, 64) : size))
    case 5: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
    case 6:
      let start = Int.random(in: 0..<end, using: &random)
      let size = min(shiftSize(), bytes.count - start)
      bytes.removeSubrange(start..<start + size)
      bytes += [UInt8](repeating: 0, count: size)
    default:
      let start = Int.random(in: 0..<end, using: &random)
      let size = shiftSize()
      bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: size), at: start)
      bytes.removeLast(size)
    }
    return bytes
  }

  /// Damages the mark as well as the log, or the mark alone.
  private mutating func damageMark() {
    guard damagesMark else { return }
    markDamage = MarkDamage.drawn(using: &markRandom)
    isLogWhole = isMarkDamaged && markRandom.chance(0.3)
    guard let bytes = try? mark.file.read(CommitMark.byteCount, at: 0) else { return }
    let damaged = markDamage.applied(to: bytes, using: &markRandom)
    mark = RotTrial.mark(on: SimulatedDisk(holding: damaged))
  }

  private mutating func shiftSize() -> Int {
    random.chance(0.5)
      ? geometry.blockSize * Int.random(in: 1...4, using: &random)
      : Int.random(in: 1...4_096, using: &random)
  }

  private mutating func overwrite(_ bytes: inout [UInt8], _ range: Range<Int>) {
    let kind = Int.random(in: 0..<3, using: &random)
    for index in range {
      bytes[index] = kind == 0 ? 0 : kind == 1 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
    }
  }

  private mutating func judge(_ bytes: [UInt8]) {
    var found = recovery(of: bytes)
    if found.verdict == .blank, found.losses.isEmpty {
      // A log gets its name when it is complete, so a file of zeros is a lost log to the daemon.
      found = Recovery(
        ofMissingLog: nil, owner: RotTrial.owner, geometry: geometry,
        protecting: RecordTable.protecting)
    }
    isTold = !found.losses.isEmpty
    let possible = markDamage == .firstPage ? unnamedBySecondPage : unnamed
    if !isTold, !possible.contains(found.records) {
      violation = "an acknowledged record is lost, and no loss is reported (\(found.verdict))"
    }
    if markDamage.losesMark, noticesLostMark, !isTold {
      violation = "no page of the mark is readable, and that is not reported"
    }
    if isLogWhole, !markDamage.losesMark, isTold {
      violation = "a page of the mark is damaged, and the log is called \(found.losses)"
    }
    let isOff = promised[RotTrial.services] == [0]
    if isOff, found.records[RotTrial.services] != [0], !found.withheld.contains(RotTrial.services) {
      violation = "location services were off, and that is undone (\(found.verdict))"
    }
    if violation == nil, let reader { judgeGrants(found, reader) }
  }

  private mutating func judgeGrants(_ found: Recovery, _ reader: GrantReader) {
    var reading = StateReading(records: found.records)
    if reader != .ignoresLosses {
      reading.withheld = found.withheld
      if isTold { reading.damage = "\(found.losses)" }
    }
    var trial = GrantTrial(promised: promised, isTold: isTold, seed: random.next())
    violation = trial.run(reading)
    grants = trial.counts
  }
}
