import BinnacleBasics
import LocationEngine
import StateLog

/// Damage to the state log, drawn from a seed: commits and power cuts, then damaged bytes.
///
/// The damage overwrites, cuts off or shifts bytes, as cards and operators do. The log must report each loss of an
/// acknowledged record that the mark names; a person's decisions are always named. A decision that location services are
/// off must not be undone. A power cut must not be reported as damage. The engine reads what is left, and ``GrantTrial``
/// judges what it makes of the grants of apps.
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
  private let geometry: LogGeometry
  private let hasMark: Bool
  private let namesAtOnce: Bool
  private var log: StateLog<SimulatedDisk>?
  private var disk: SimulatedDisk
  private var mark: CommitMarkFile<SimulatedDisk>
  private var promised = RecordSet()
  /// The acknowledged states of the log since the commit that the mark names, which is the first one.
  private var unnamed: [RecordSet] = [RecordSet()]
  private var violation: String?
  private let reader: GrantReader?
  /// The grants of apps after the damage.
  public private(set) var grants = GrantTrial.Counts()

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
  ///   - namesAtOnce: whether the mark names a decision before the decision is acknowledged; in the control it does not.
  ///   - reader: how grants are read; nil: the log has no grants.
  public init(
    seed: UInt64, hasMark: Bool = true, namesAtOnce: Bool = true, reader: GrantReader? = .correct
  ) {
    self.reader = reader
    self.namesAtOnce = namesAtOnce
    random = Random(seed: seed)
    choices = Choices(seed: random.next())
    let shift = Int.random(in: 9...12, using: &random)
    let blocks = Int.random(in: 16...80, using: &random)
    geometry = LogGeometry(blockSize: 1 << shift, blocksPerSegment: blocks) ?? .ofFile
    self.hasMark = hasMark
    disk = SimulatedDisk(byteCount: geometry.byteCount)
    mark = CommitMarkFile(
      on: SimulatedDisk(byteCount: CommitMark.byteCount), owner: RotTrial.owner,
      protecting: RecordTable.protecting)
    log = try? StateLog.create(on: disk, owner: RotTrial.owner, geometry: geometry)
  }

  /// Runs the commits, and then damages the log.
  public mutating func run() -> Outcome {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      for _ in 0..<Int.random(in: 1...60, using: &random) { commit() }
      if random.chance(0.4) { cutPower() }
    }
    // The daemon has ended, or has made no commit for a while; or the power was cut before.
    if random.chance(0.6) { settle() }
    if violation == nil { judge(damaged()) }
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
    let isNamed = (isDecision || isSwitch) && receipt.sequence != nil
    unnamed = isNamed ? [promised] : unnamed + [promised]
    if let log {
      mark.acknowledge(
        &receipt, records: log.records, isNamedAtOnce: isDecision && namesAtOnce, at: .zero)
    }
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

  /// Cuts the power during a commit, and reads the log again.
  private mutating func cutPower() {
    log?.file.expect(.cut(call: Int.random(in: 0...1, using: &random)))
    let one = change()
    _ = try? log?.commit([one])
    var attempted = promised
    attempted.apply(one)
    if let log { disk = log.file }
    disk.cutPower(&choices)
    mark.file.cutPower(&choices)
    let found = recovery(of: disk.durableBytes)
    if found.verdict != .sound || !found.losses.isEmpty {
      violation = "a power cut is called \(found.verdict), \(found.losses)"
    } else if found.records != promised, found.records != attempted {
      violation = "a power cut has cost what was acknowledged"
    }
    promised = found.records
    log = StateLog(continuing: found, on: disk)
    if let log { mark.renew(sequence: log.sequence, records: log.records) }
    unnamed = [promised]
  }

  private mutating func recovery(of bytes: [UInt8]) -> Recovery {
    var disk = SimulatedDisk(holding: bytes)
    return Recovery(
      of: &disk, owner: RotTrial.owner, expecting: geometry, mark: hasMark ? mark.read() : nil,
      protecting: RecordTable.protecting)
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
    let found = recovery(of: bytes)
    isTold = !found.losses.isEmpty
    if !isTold, !unnamed.contains(found.records) {
      violation = "an acknowledged record is lost, and no loss is reported (\(found.verdict))"
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
