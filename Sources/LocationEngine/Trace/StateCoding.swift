import BinnacleBasics
import BinnacleModel
import StateLog

/// The fields of what happens to the log of state, in events and effects.
extension ByteWriter {
  mutating func put(_ changes: [Change]) {
    u32(UInt32(truncatingIfNeeded: changes.count))
    for change in changes {
      put(change.name)
      switch change.action {
      case .remove: u8(0)
      case .put(let value, let isCautious):
        u8(isCautious ? 2 : 1)
        counted(value)
      }
    }
  }

  mutating func put(_ name: RecordName) {
    u16(name.kind)
    counted(name.key)
  }

  mutating func put(_ reading: StateReading) {
    put(reading.records.entries.map(\.change))
    u32(UInt32(truncatingIfNeeded: reading.withheld.count))
    for name in reading.withheld { put(name) }
    u32(UInt32(reading.geometry.blockSize))
    u32(UInt32(reading.geometry.blocksPerSegment))
    put(reading.obstacle, damage: reading.damage)
    put(reading.notes)
  }

  // Older versions had no damage, so a higher kind of obstacle says that it is there.
  mutating func put(_ obstacle: StateReading.Obstacle?, damage: String? = nil) {
    u8((obstacle.map { $0.isPassing ? 2 : 1 } ?? 0) + (damage == nil ? 0 : 3))
    if let obstacle { text(obstacle.text) }
    if let damage { text(damage) }
  }

  mutating func put(_ notes: [StateReading.Note]) {
    u32(UInt32(truncatingIfNeeded: notes.count))
    for note in notes {
      u8(note.level.rawValue)
      text(note.text)
    }
  }

  mutating func put(_ wish: StateWish) {
    switch wish {
    case .read: u8(0)
    case .erase(let subject):
      u8(1)
      u8(subject.number)
      text(subject.app ?? "")
    case .writes: u8(2)
    case .accept: u8(3)
    }
  }

  mutating func put(_ receipt: CommitReceipt) {
    u64(receipt.sequence ?? 0)
    i64(Int64(receipt.bytesWritten))
    i64(Int64(receipt.flushCount))
    u8(receipt.isCompaction ? 1 : 0)
  }

  mutating func put(_ failure: CommitFailure) {
    switch failure {
    case .full(let size, let sizeMax):
      u8(0)
      i64(Int64(size))
      i64(Int64(sizeMax))
    case .tooLarge(let size, let sizeMax):
      u8(1)
      i64(Int64(size))
      i64(Int64(sizeMax))
    case .fault(let fault):
      u8(2)
      put(fault)
    case .refused(let refusal):
      u8(3)
      put(refusal)
    case .closed(let reason):
      u8(4)
      text(reason)
    case .busy: u8(5)
    }
  }

  private mutating func put(_ fault: BlockFault) {
    switch fault {
    case .noSpace: u8(0)
    case .inputOutput: u8(1)
    case .readOnly: u8(2)
    case .other(let number):
      u8(3)
      i32(number)
    }
  }

  private mutating func put(_ refusal: RecordRefusal) {
    switch refusal {
    case .keyTooLong(let size, let sizeMax):
      u8(0)
      i64(Int64(size))
      i64(Int64(sizeMax))
    case .valueTooLarge(let kind, let size, let sizeMax):
      u8(1)
      text(kind)
      i64(Int64(size))
      i64(Int64(sizeMax))
    case .tooMany(let kind, let countMax):
      u8(2)
      text(kind)
      i64(Int64(countMax))
    }
  }
}

extension ByteReader {
  mutating func changes() -> [Change]? {
    guard let count = u32(), Int(count) <= remaining else { return nil }
    var changes: [Change] = []
    for _ in 0..<count {
      guard let name = recordName(), let kind = u8(), kind <= 2 else { return nil }
      if kind == 0 {
        changes.append(Change(name, .remove))
      } else {
        guard let value = counted() else { return nil }
        changes.append(Change(name, .put(value, isCautious: kind == 2)))
      }
    }
    return changes
  }

  mutating func recordName() -> RecordName? {
    guard let kind = u16(), let key = counted() else { return nil }
    return RecordName(kind: kind, key: key)
  }

  mutating func stateReading() -> StateReading? {
    guard let changes = changes(), let count = u32(), Int(count) <= remaining else { return nil }
    var reading = StateReading()
    for change in changes { reading.records.apply(change) }
    for _ in 0..<count {
      guard let name = recordName() else { return nil }
      reading.withheld.append(name)
    }
    guard let blockSize = u32(), let blocks = u32(), blockSize < 1 << 20, blocks < 1 << 20,
      let geometry = LogGeometry(blockSize: Int(blockSize), blocksPerSegment: Int(blocks)),
      let (obstacle, damage) = obstacleAndDamage(), let notes = notes()
    else { return nil }
    reading.geometry = geometry
    reading.obstacle = obstacle
    reading.damage = damage
    reading.notes = notes
    return reading
  }

  /// An obstacle, or that there is none; nil when the bytes are neither.
  mutating func obstacle() -> StateReading.Obstacle?? {
    guard let (obstacle, damage) = obstacleAndDamage(), damage == nil else { return nil }
    return .some(obstacle)
  }

  /// An obstacle and what is lost; nil when the bytes are neither.
  private mutating func obstacleAndDamage() -> (StateReading.Obstacle?, String?)? {
    guard let kind = u8(), kind <= 5 else { return nil }
    var obstacle: StateReading.Obstacle?
    if kind % 3 != 0 {
      guard let text = text() else { return nil }
      obstacle = StateReading.Obstacle(text, isPassing: kind % 3 == 2)
    }
    guard kind >= 3 else { return (obstacle, nil) }
    guard let damage = text() else { return nil }
    return (obstacle, damage)
  }

  mutating func notes() -> [StateReading.Note]? {
    guard let count = u32(), Int(count) <= remaining else { return nil }
    var notes: [StateReading.Note] = []
    for _ in 0..<count {
      guard let level = u8().flatMap(LogLevel.init(rawValue:)), let text = text() else {
        return nil
      }
      notes.append(StateReading.Note(level, text))
    }
    return notes
  }

  mutating func stateWish() -> StateWish? {
    switch u8() {
    case 0: return .read
    case 1:
      guard let number = u8(), let app = text() else { return nil }
      return EraseSubject(number: number, app: app).map { .erase($0) }
    case 2: return .writes
    case 3: return .accept
    default: return nil
    }
  }

  mutating func receipt() -> CommitReceipt? {
    guard let sequence = u64(), let bytes = speed(), let flushes = speed(), let isCopy = flag()
    else { return nil }
    return CommitReceipt(
      sequence: sequence == 0 ? nil : sequence, bytesWritten: bytes, flushCount: flushes,
      isCompaction: isCopy)
  }

  mutating func commitFailure() -> CommitFailure? {
    switch u8() {
    case 0: sizes().map { .full(size: $0, sizeMax: $1) }
    case 1: sizes().map { .tooLarge(size: $0, sizeMax: $1) }
    case 2: blockFault().map { .fault($0) }
    case 3: recordRefusal().map { .refused($0) }
    case 4: text().map { .closed($0) }
    case 5: .busy
    default: nil
    }
  }

  private mutating func sizes() -> (Int, Int)? {
    guard let size = speed(), let sizeMax = speed() else { return nil }
    return (size, sizeMax)
  }

  private mutating func blockFault() -> BlockFault? {
    switch u8() {
    case 0: .noSpace
    case 1: .inputOutput
    case 2: .readOnly
    case 3: i32().map { .other($0) }
    default: nil
    }
  }

  private mutating func recordRefusal() -> RecordRefusal? {
    switch u8() {
    case 0: return sizes().map { .keyTooLong(size: $0, sizeMax: $1) }
    case 1:
      guard let kind = text(), let (size, sizeMax) = sizes() else { return nil }
      return .valueTooLarge(kind: kind, size: size, sizeMax: sizeMax)
    case 2:
      guard let kind = text(), let countMax = speed() else { return nil }
      return .tooMany(kind: kind, countMax: countMax)
    default: return nil
    }
  }
}
