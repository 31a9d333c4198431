import StateLog

/// Whether location services are on for the whole board, for every app.
///
/// The decision to turn services off takes effect after the log's answer, even if the commit fails. The decision to
/// turn services on takes effect only after a commit. Services are on if there is no decision. If the last decision is
/// lost, services are off, because the lost decision may have been off. While part of the state is lost or unreadable,
/// services are off until an operator accepts the loss.
struct ServiceSwitch: Equatable, Codable, Sendable {
  /// The last decision.
  private var isDecidedOn = true
  /// The loss of state that no operator has accepted, or why the state is unreadable; nil if the state is whole.
  private(set) var damage: String?
  /// The unreadable parts that an operator accepted for this run.
  private var acceptedObstacle: String?

  private static let name = RecordName(kind: RecordTable.locationServices.number)
  private static let damageName = RecordName(kind: RecordTable.damage.number)
  /// The most bytes of text in the damage record.
  private static let damageTextSizeMax = 900
  private static let damageVersion: UInt8 = 1

  var isOn: Bool { isDecidedOn && damage == nil }

  /// Takes the state that was read.
  ///
  /// - Parameters:
  ///   - reading: the state.
  ///   - isFirst: whether this is the first reading. A later reading can only turn services off, because the decisions
  ///     in memory are newer.
  /// - Returns: the decision to write, because the last decision about services is lost, or other state is lost; else
  ///   nil.
  mutating func adopt(_ reading: StateReading, isFirst: Bool) -> Decision<StateOrder>? {
    guard reading.obstacle == nil else {
      if reading.damage != acceptedObstacle { damage = reading.damage }
      return nil
    }
    let isLost = reading.withheld.contains(ServiceSwitch.name)
    // The value is one byte, 1 for on; this program writes no other value for on.
    let isRecordedOn = !isLost && reading.records[ServiceSwitch.name].map { $0 == [1] } ?? true
    isDecidedOn = isRecordedOn && (isFirst || isDecidedOn)
    damage = ServiceSwitch.loss(in: reading)
    let changes = ServiceSwitch.changes(after: reading)
    return changes.isEmpty ? nil : Decision(.takesAway, changes: changes, then: [])
  }

  /// The careful value of a lost decision, and the record of a loss; empty without a loss.
  static func changes(after reading: StateReading) -> [Change] {
    var changes: [Change] = []
    if reading.withheld.contains(name) { changes.append(change(isOn: false)) }
    if let loss = loss(in: reading), loss != knownLoss(in: reading) {
      changes.append(change(damage: loss))
    }
    return changes
  }

  /// The recorded loss and the loss that the reading has found; nil if there is no loss.
  private static func loss(in reading: StateReading) -> String? {
    guard let known = knownLoss(in: reading) else { return reading.damage }
    // The store may have recorded the loss already.
    guard let found = reading.damage, known != found, !known.hasSuffix("; \(found)") else {
      return known
    }
    return "\(known); \(found)"
  }

  private static func knownLoss(in reading: StateReading) -> String? {
    reading.records[damageName].map(damageText)
  }

  /// The decision that turns services on or off.
  func decision(isOn: Bool) -> Decision<StateOrder> {
    Decision(
      isOn ? .gives : .takesAway, changes: [ServiceSwitch.change(isOn: isOn)],
      then: [.setServices(isOn: isOn)])
  }

  /// The decision that accepts the loss.
  var acceptance: Decision<StateOrder> {
    Decision(.gives, changes: [Change(ServiceSwitch.damageName, .remove)], then: [.acceptDamage])
  }

  /// Carries out a decision about services.
  mutating func set(isOn: Bool) {
    isDecidedOn = isOn
  }

  /// Carries out the acceptance of the loss.
  ///
  /// - Parameter isReadable: whether the state could be read; otherwise the unreadable state is accepted for this run.
  mutating func acceptDamage(isReadable: Bool) {
    if !isReadable { acceptedObstacle = damage }
    damage = nil
  }

  private static func change(isOn: Bool) -> Change {
    Change(name, .put([isOn ? 1 : 0], isCautious: true))
  }

  private static func change(damage: String) -> Change {
    var bytes = Array(damage.utf8)
    if bytes.count > damageTextSizeMax {
      bytes = Array(bytes.prefix(damageTextSizeMax) + " ...".utf8)
    }
    return Change(damageName, .put([damageVersion] + bytes, isCautious: false))
  }

  /// The text of the damage record; an unreadable record also counts as damage.
  static func damageText(_ value: [UInt8]) -> String {
    guard value.first == damageVersion else { return "part of the state is lost" }
    return String(decoding: value.dropFirst(), as: UTF8.self)
  }
}
